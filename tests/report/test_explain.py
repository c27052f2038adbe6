"""`explain`: what a page says of a call, and that document, rows and ledger say the same (spec/8)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.report.made import TIGHT, fits, fixture, made, page, subject
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.settings import Resurface, Settings
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.report.explain import Explanation
from windowkeeper_cli.report.explain_visits import at_call, every_visit
from windowkeeper_cli.report.sheet import Change


def explained(number: int | None, **options: Any) -> Explanation:
    """Return the fixture at a call."""
    return at_call(subject(fixture()), number, **options)


def test_the_document_fits_its_schema_at_every_call() -> None:
    transcript = fixture()
    for number in range(1, len(transcript.calls) + 2):
        fits(at_call(subject(transcript), number).document())
    fits(every_visit(subject(transcript)).document())


def test_a_visit_adds_up_and_its_window_counts_every_item_once() -> None:
    report = explained(None)
    visited = report.visits[0]
    visit = visited.step.visit
    assert visit is not None
    assert visit.tokens_after - visit.tokens_before == sum(
        line.tokens_after - line.tokens_before for line in visited.step.lines
    )
    window = visited.window
    forms = (window.full, window.truncated, window.stub, window.cleared, window.out)
    assert sum(forms) == visited.call.at
    assert window.out == sum(line.action == "trim" for line in visited.step.lines) == 6
    assert window.truncated == 1


def test_window_counts_equal_the_folds_own_forms() -> None:
    about = subject(fixture())
    for number in range(1, len(about.transcript.calls) + 2):
        window = at_call(about, number).visits[0].window
        session = Session(about.transcript, about.counts, about.policy.settings)
        for _ in session.steps(number):
            pass
        forms = [session.fold.form(at).name for at in range(session.fold.held)]
        assert [window.full, window.truncated, window.out] == [
            forms.count("FULL"),
            forms.count("TRUNCATED"),
            forms.count("OUT"),
        ]


def test_replan_is_the_last_call_that_decided_something() -> None:
    assert explained(None).visits[0].call.number == 8


def test_replan_where_nothing_was_decided_says_how_far_the_limit_is() -> None:
    with pytest.raises(UsageError, match=r"no call decided anything; the largest window is \d+ tokens"):
        at_call(subject(fixture(), Settings(resurface=Resurface(identifiers=False))), None)


def test_new_decisions_come_first_and_standing_ones_name_their_call() -> None:
    now = explained(8).document()
    later = explained(9).document()
    fresh = now["visits"][0]["decisions"]  # type: ignore[index]
    standing = later["visits"][0]["decisions"]  # type: ignore[index]
    assert all(row["isNew"] and row["call"] == 8 for row in fresh)
    assert standing and all(not row["isNew"] and row["call"] == 8 for row in standing)
    assert "in force from earlier calls (8)" in page(explained(9))
    assert "in force from earlier calls" not in page(explained(9, only_new=True))


def test_a_call_where_nothing_has_left_says_how_far_under_the_limit_it_is() -> None:
    text = page(explained(1))
    assert "Nothing has left: at call 1 the window of" in text
    assert "under the limit of 640, and all 2 items are in it in full." in text


def test_a_missed_target_and_refusals_are_said_plainly() -> None:
    text = page(explained(8))
    assert "missed   the target by" in text
    assert "refused to leave at call 8" in text
    assert "keep-error" in text


def test_a_window_over_its_limit_says_by_how_much_and_what_holds_it() -> None:
    transcript = made({"role": "user", "content": "x" * 4000})
    report = at_call(subject(transcript), 1)
    assert "tokens over the limit; sent as it is" in page(report)
    over = report.document()["visits"][0]["overLimit"]  # type: ignore[index]
    assert over["by"] == report.visits[0].window.tokens - 640
    assert sum(over["holds"].values()) == report.visits[0].window.tokens


def test_all_is_the_ledger_byte_for_byte() -> None:
    lines = list(every_visit(subject(fixture())).lines())
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds[0] == "ledger"
    assert kinds[-1] == "visit"
    assert kinds.count("visit") == 2
    assert all(line.endswith(b"}\n") for line in lines)


def test_cold_passes_over_the_calls_before() -> None:
    cold = explained(9, cold=True)
    assert cold.visits[0].step.visit is not None
    assert cold.visits[0].in_force == ()
    assert "as a cold start" in page(cold)


def test_many_rows_of_one_rule_fold_into_one_and_unfold() -> None:
    messages: list[dict[str, object]] = [{"role": "user", "content": "go"}]
    for number in range(40):
        call = {"id": f"c{number}", "name": "bash", "args": {"n": number}}
        messages.append({"role": "assistant", "content": "", "toolCalls": [call]})
        messages.append({"role": "tool", "toolCallId": f"c{number}", "toolName": "bash", "content": f"{number} " * 60})
    transcript = made(*messages)
    cold = at_call(subject(transcript), 41, cold=True)
    folded, whole = page(cold), page(at_call(subject(transcript), 41, cold=True, all_rows=True))
    assert "results" in folded and "messages: bash" in folded
    assert len(whole.split("\n")) > len(folded.split("\n")) + 40
    assert len(cold.table().rows) == len(cold.visits[0].step.lines)
    sums = [
        sum(row[-2].before for row in rows if isinstance(row[-2], Change) and row[-2].before is not None)
        for rows in (cold.table().rows, at_call(subject(transcript), 41, cold=True, all_rows=True).table().rows)
    ]
    assert sums[0] == sums[1]


def test_content_stays_escaped_in_every_part_of_a_page() -> None:
    hostile = "\x1b]0;x\x07[bold]\u202e"
    transcript = made(
        {"role": "user", "content": hostile},
        {"role": "assistant", "content": "", "toolCalls": [{"id": "c", "name": hostile, "args": {"path": hostile}}]},
        {"role": "tool", "toolCallId": "c", "toolName": hostile, "content": "y" * 3000, "isError": False},
        {"role": "assistant", "content": "done"},
        {"role": "assistant", "content": "done 2"},
        {"role": "assistant", "content": "done 3"},
        {"role": "user", "content": "next"},
    )
    report = at_call(subject(transcript, TIGHT, name=hostile), None, all_rows=True)
    text = page(report)
    assert not any(char in text for char in "\x1b\x07\u202e")
    assert "[bold]" in text


def test_the_next_command_names_what_has_left() -> None:
    report = explained(8)
    command = report.sheet().next[0].words
    assert command[:2] == ("windowkeeper", "recall")
    gone = {line.item for line in report.visits[0].step.lines if line.tokens_after < line.tokens_before}
    assert command[2] in gone
