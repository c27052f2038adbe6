"""`trace`: the answer in a sentence, the page, the document and the rows (spec/7, trace; spec/8)."""

from __future__ import annotations

import csv
import io

import pytest

from tests.formats.logs import LogFile, call, text
from tests.report.made import TIGHT, document, fixture, made, page, subject
from tests.sessions import asks, calls, gives
from windowkeeper_cli.model.decision import Decision, Form
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.example import Message
from windowkeeper_cli.model.settings import Handles, Settings, SlidingTokens
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.subject import NamedPolicy
from windowkeeper_cli.report.trace import TraceReport, trace
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain

SLIDING = Settings(strategy="sliding-tokens", sliding_tokens=SlidingTokens(150))
NONE = Settings(strategy="none")
REF = ["at", "item", "turn", "what", "tool", "brief", "tokens", "class"]
CODE = "def first_function(one):\n    return one.second_thing\n"
SUMMARY = "We mended src/paths.py:\n    return one.second_thing\nNext: tests."


def read(number: int, path: str = "src/paths.py", body: str = "x" * 400) -> list[Message]:
    """Return a read of a file and its content of about 100 tokens."""
    return [calls(number, "read_file", file_path=path), gives(number, body)]


def life(
    transcript: Transcript, what: str, settings: Settings = NONE, call_: int | None = None, *, all_rows: bool = False
) -> TraceReport:
    """Return the report, up to the next call where none is given."""
    number = transcript.next_call.number if call_ is None else call_
    return trace(subject(transcript, settings), what, number, all_rows=all_rows)


def answered(report: TraceReport) -> str:
    """Return the answer."""
    found: str = document(report)["answer"]
    return found


def recorded(*more: tuple[str, str], summary: str = SUMMARY) -> TraceReport:
    """Return the life of src/paths.py at the call after a compaction; `more` are (id, tool) calls on it after that."""
    log = LogFile()
    log.user("Mend it", promptId="p1", permissionMode="default")
    for number in range(1, 4):
        log.reply(f"m{number}", call(f"t{number}", "Read", file_path="src/paths.py", offset=number, limit=10))
        log.result(f"t{number}", CODE + "y" * number)
    end = log.reply("m4", text("done"))
    log.add(
        "system", subtype="compact_boundary", parent=None, logicalParentUuid=end,
        compactMetadata={"trigger": "auto", "preTokens": 1234},
    )  # fmt: skip
    log.user(summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)
    for number, (ident, tool) in enumerate(more, 5):
        log.reply(f"m{number}", call(ident, tool, file_path="src/paths.py"))
        log.result(ident, "fine")
    transcript = log.load()
    about = subject(transcript, Settings(strategy="recorded"), "log.jsonl")
    policy = NamedPolicy("recorded", "0" * 12, Settings(strategy="recorded"), "built-in")
    return trace(about._replace(policy=policy), "paths.py", transcript.next_call.number)


def test_the_document_has_every_key_of_the_shape() -> None:
    # Three reads of 100 tokens under a limit of 150: at call 4 only the newest stands.
    found = document(life(made(asks("a"), *read(1), *read(2), *read(3)), "paths.py", SLIDING))
    own = ["what", "answer", "events", "atCall"]
    keys = list(found)
    assert keys[keys.index("tokens") + 1 : keys.index("notes")] == own
    assert found["what"] == "paths.py"
    assert all(list(e) == ["call", "event", "item", "decision", "inWindowAtCall"] for e in found["events"])
    assert all(list(event["item"]) == REF for event in found["events"])
    assert found["atCall"] == {
        "call": 4, "full": 1, "truncated": 0, "stub": 0, "cleared": 0, "out": 2, "named": 1,
    }  # fmt: skip
    left = [event for event in found["events"] if event["event"] == "left"]
    assert [(event["call"], event["decision"]["rule"], event["inWindowAtCall"]) for event in left] == [
        (3, "slidingTokens.maxTokens", False),
        (4, "slidingTokens.maxTokens", False),
    ]


def test_one_item_in_full() -> None:
    report = life(made(asks("a"), *read(1)), "paths.py")
    assert answered(report) == "paths.py at call 2: it is in the window in full."


def test_one_item_that_left_and_nothing_names_it() -> None:
    report = life(made(asks("a"), *read(1), *read(2, "src/other.py")), "paths.py", SLIDING)
    assert answered(report) == (
        "paths.py at call 3: it is not in the window. It left at call 3 by slidingTokens.maxTokens (whole turn). "
        "Nothing in the window names it."
    )


def test_all_of_several_and_some_of_several() -> None:
    transcript = made(asks("a"), *read(1), *read(2), *read(3))
    assert answered(life(transcript, "paths.py")) == "paths.py at call 4: all of its 3 reads are in the window in full."
    assert answered(life(transcript, "paths.py", call_=3)) == (
        "paths.py at call 3: both of its 2 reads are in the window in full. The next read of it comes with call 4."
    )
    assert answered(life(transcript, "paths.py", SLIDING)).startswith(
        "paths.py at call 4: 1 of its 3 reads is in the window in full, 2 are not. "
        "1 left at call 3 and 1 at call 4, by slidingTokens.maxTokens. Still named by 1 tool call on it"
    )


def test_many_departures_are_told_by_their_first_and_last_call() -> None:
    parts = [part for number in range(1, 8) for part in read(number)]
    told = answered(life(made(asks("a"), *parts), "paths.py", SLIDING))
    assert "They left at calls 3 to 8 by slidingTokens.maxTokens." in told


def test_truncated_is_in_the_window() -> None:
    settings = Settings(strategy="handles", handles=Handles(over_tokens=50, excerpt_chars=40))
    told = answered(life(made(asks("a"), *read(1)), "paths.py", settings))
    assert told.startswith("paths.py at call 2: it is in the window truncated, ")
    assert "It was truncated at call 2 by handles.overTokens" in told


def test_it_had_not_come_yet_says_when_it_comes() -> None:
    transcript = made(asks("mend paths.py"), {"role": "assistant", "content": "first"}, *read(1))
    report = life(transcript, "paths.py", call_=1)
    assert answered(report) == (
        "paths.py at call 1: it had not come yet; it comes with call 3 (read_file src/paths.py). "
        "The window names it already: 1 request."
    )
    assert document(report)["atCall"]["named"] == 1
    bare = life(made(asks("a"), *read(1)), "paths.py", call_=1)
    assert [event["event"] for event in document(bare)["events"]] == ["used"]


class ThereAndBack(Plain):
    """Makes the first read a stub at call 3, and an excerpt of its first ten characters at call 4."""

    name = "there-and-back"

    def __init__(self, _settings: Settings) -> None:
        pass

    def plan(self, visit: Visit) -> Plan:
        """Propose the one move of calls 3 and 4."""
        if visit.call.number == 3:
            assert visit.gate.may_move(2) is None
            yield Decision("evict", "own.out", 2, Form.STUB, 5, 4, text="gone")
        elif visit.call.number == 4:
            yield Decision("truncate", "own.back", 2, Form.TRUNCATED, 9, 14, text="...", cut=(0, 10, 400))
        else:
            return None
        return Facts(("turns",))


def test_what_left_and_came_back_in_part_was_truncated_by_the_rule_that_brought_it() -> None:
    transcript = made(asks("a"), *read(1), *read(2, "b.py"), *read(3, "c.py"))
    policy = NamedPolicy("own.py:ThereAndBack", "0" * 12, NONE, "own", make=ThereAndBack)
    report = trace(subject(transcript)._replace(policy=policy), "paths.py", 4)
    moves = [(event.call, event.event) for event in report.trace.events if event.line is not None]
    assert moves == [(3, "left"), (4, "came back")]
    assert answered(report) == (
        "paths.py at call 4: it is in the window truncated, 9 tokens of it. It was truncated at call 4 by own.back."
    )


def test_a_compaction_and_what_the_summary_names_and_holds() -> None:
    # The file has two lines of 16 characters or more; the summary quotes the second.
    report = recorded(("e1", "Edit"), ("e2", "Edit"), ("r1", "Read"))
    assert answered(report) == (
        "paths.py at call 8: 1 of its 4 reads is in the window in full, 3 are not. The 3 left at call 5 by "
        "recorded.compaction (auto compaction at line 9; 1,234 tokens before, by its own figure). The summary names "
        "it, and holds 1 of its 2 lines (of 16 characters or more). Also named by 3 tool calls on it, and they hold "
        "none of its lines."
    )
    shown = page(report)
    assert "RECORDED" in shown
    assert "  5  left   3 reads" in shown
    assert "2 edits of src/paths.py with no read of it in the window; to call 6" in shown
    assert "re-read src/paths.py, 2 calls after the last read of it left" in shown
    assert "Read src/paths.py:1-10" in shown


def test_a_summary_that_holds_no_line_says_so_and_one_that_does_not_name_it_is_not_told() -> None:
    assert "The summary names it, and holds none of its lines." in answered(recorded(summary="See src/paths.py"))
    assert answered(recorded(summary="See src/paths.pyc")).endswith("Nothing in the window names it.")


def test_an_id_and_its_beginning_mean_the_item() -> None:
    transcript = made(asks("a"), *read(1), *read(2, "src/other.py"))
    own = transcript.items[2].id
    whole, begun = life(transcript, own), life(transcript, own[:5].upper())
    assert answered(whole) == answered(begun) == f"{own} at call 3: it is in the window in full."
    assert f"item     {own}   read_file src/paths.py\n" in page(whole)


def test_an_ambiguous_beginning_lists_the_ids() -> None:
    # Two of 3,000 ids share their first four digits, as good as always; which ones is found here.
    transcript = made(*[asks(f"n{number}") for number in range(3000)])
    first: dict[str, str] = {}
    pair = next((first[i.id[:4]], i.id) for i in transcript.items if first.setdefault(i.id[:4], i.id) != i.id)
    with pytest.raises(UsageError) as caught:
        life(transcript, pair[0][:4])
    assert all(one in str(caught.value) for one in pair) and "give more digits" in str(caught.value)


def test_what_nothing_matches_names_the_nearest() -> None:
    transcript = made(asks("a"), *read(1), *read(2, "lib/other.go"))
    with pytest.raises(UsageError) as caught:
        life(transcript, "pathz.py")
    assert str(caught.value) == (
        'no id, path or text here matches "pathz.py"; the nearest are src/paths.py, lib/other.go'
    )
    with pytest.raises(UsageError, match=r"the nearest are [0-9a-f]{12} "):
        life(transcript, "0000000f")
    with pytest.raises(UsageError, match="it has no path either"):
        life(made(asks("a")), "pathz.py")
    with pytest.raises(UsageError, match="nothing to trace"):
        life(transcript, "  ")


def test_the_id_of_a_summary_says_what_it_is() -> None:
    report = recorded()
    summary = next(event.item for event in report.trace.events if event.at is None)
    with pytest.raises(UsageError) as caught:
        trace(report.subject, summary[:8], report.trace.call)
    assert str(caught.value) == (
        f"{summary} is a summary that came in at call 5, and no item; windowkeeper explain --call 5 shows it"
    )


def test_several_paths_with_one_end_are_named() -> None:
    report = life(made(asks("a"), *read(1), *read(2, "lib/paths.py")), "paths.py")
    assert "paths    src/paths.py   lib/paths.py\n" in page(report)
    assert "path  " not in page(life(made(asks("a"), *read(1)), "src/paths.py"))


def test_alike_rows_fold_and_all_rows_unfolds() -> None:
    parts = [part for number in range(1, 12) for part in read(number)]
    transcript = made(asks("a"), *parts)
    folded, whole = page(life(transcript, "paths.py")), page(life(transcript, "paths.py", all_rows=True))
    assert "its life up to call 12 (22 events; --all-rows unfolds)" in folded
    rows = folded.split("tokens  what\n")[1].split("\n\n")[0].split("\n")
    assert len(rows) == 1 and "11 reads   1,100  to call 12; the largest is " in rows[0]
    assert len(whole.split("tokens  what\n")[1].split("\n\n")[0].split("\n")) == 22
    assert "unfolds" not in whole


def test_a_long_life_folds_over_its_moves() -> None:
    parts = [part for number in range(1, 60) for part in read(number)]
    text_ = page(life(made(asks("a"), *parts), "paths.py", SLIDING))
    assert len(text_.split("tokens  what\n")[1].split("\n\n")[0].split("\n")) <= 40


def test_csv_has_every_event() -> None:
    report = life(made(asks("a"), *read(1), *read(2), *read(3)), "paths.py", SLIDING)
    body = b"".join(RENDERERS.module("csv").render(report, Style())).decode()
    rows = list(csv.DictReader(io.StringIO(body, newline="")))
    assert [row["event"] for row in rows] == [event["event"] for event in document(report)["events"]]
    left = next(row for row in rows if row["event"] == "left")
    assert (left["call"], left["action"], left["rule"], left["tokensBefore"], left["tokensAfter"]) == (
        "3", "trim", "slidingTokens.maxTokens", "100", "0",
    )  # fmt: skip
    assert left["inWindowAtCall"] == "false"


def test_there_are_no_json_lines() -> None:
    assert life(made(asks("a"), *read(1)), "paths.py").lines() is None


@pytest.mark.parametrize(
    "name", ["a/\x1b[31mred.py", "a/[bold]x[/bold].py", "a/\u202egnol.py", "a/.*(.py", "a/値段.py"]
)
def test_a_hostile_path_is_found_and_shown_escaped(name: str) -> None:
    transcript = made(asks(f"see `{name}`"), *read(1, name), *read(2, "src/other.py"))
    for settings in (NONE, SLIDING):
        report = life(transcript, name.partition("/")[2], settings)
        assert report.trace.target.resources == (name,)
        shown = page(report)
        assert "\x1b" not in shown and "\u202e" not in shown
        raw = b"".join(RENDERERS.module("json").render(report, Style())).decode()
        assert "\x1b" not in raw and "\u202e" not in raw
    assert "[bold]x[/bold].py at call 3" in page(
        life(made(asks("a"), *read(1, "a/[bold]x[/bold].py"), *read(2)), "[bold]x[/bold].py")
    )


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    long = "packages/a_rather_long_folder_name/and_another_one/with_a_long_file_name_as_well.test.tsx"
    parts = [part for number in range(1, 9) for part in read(number, long, CODE + "x" * 400)]
    for report in (
        life(made(asks(f"see {long}"), *parts), long, SLIDING),
        life(fixture(), "logs/d2.log", TIGHT),
        recorded(("e1", "Edit"), ("r1", "Read")),
    ):
        above = page(report, width).partition("\nnext")[0]
        assert max(len(line) for line in above.split("\n")) <= width


def test_an_error_is_called_one() -> None:
    parts = [asks("a"), calls(1, "read_file", file_path="src/paths.py"), gives(1, "no such file", isError=True)]
    assert "read_file src/paths.py; an error" in page(life(made(*parts), "paths.py"))


def test_the_same_report_twice_is_the_same_bytes() -> None:
    transcript = fixture()
    assert page(life(transcript, "d2", TIGHT)) == page(life(transcript, "d2", TIGHT))
