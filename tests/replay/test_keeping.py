"""keep() call by call is the session replayed; what is unchanged stays, what was decided stands (spec/4)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as drawing

from tests.generated import Case, by_seed, cases, loaded
from tests.sessions import round_of
from windowkeeper_cli.archive import MemoryArchive
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.example import asks, session
from windowkeeper_cli.model.sent import Window
from windowkeeper_cli.model.settings import Budget, Policy, Protect, SlidingWindow, ToolResults
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.keeping import Kept, keep
from windowkeeper_cli.replay.rebuild import Rebuilt
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.replay.window import window_of
from windowkeeper_cli.tokens import counts
from windowkeeper_cli.tokens.chars import count

Json = dict[str, Any]


def grown(document: Json) -> list[Transcript]:
    """Return the transcript as a harness holds it before each call, and at the end."""
    messages: list[Json] = document["messages"]
    ends = [n for n, message in enumerate(messages) if message["role"] == "assistant"]
    parts = [{**document, "messages": messages[:end]} for end in [*ends, len(messages)] if end]
    return [loaded({key: value for key, value in part.items() if key != "request"}) for part in parts]


def seen(window: Window) -> list[tuple[Any, ...]]:
    return [(part.at, part.role, part.blocks) for part in window.parts]


def follow(case: Case) -> None:
    """Hold keep() at every call to the replay of the whole session."""
    archive = MemoryArchive()
    document = {key: value for key, value in case.document.items() if key not in ("paused", "request")}
    # A later message that is flagged as the task unflags the first request, which earlier visits took for it.
    document["messages"] = [
        {key: value for key, value in message.items() if key != "task"} for message in document["messages"]
    ]
    steps = grown(document)
    kept: Kept | None = None
    for transcript in steps:
        counted = count(transcript, "4").counter
        kept = keep(transcript, case.settings, archive=archive, counter=counted)
    assert kept is not None
    whole = steps[-1]
    replayed = Session(whole, count(whole, "4"), case.settings)
    first = next((call.number for call in whole.calls if call.at), whole.next_call.number)
    lines = [line for step in replayed.steps() for line in _lines(step) if step.call >= first]
    assert [dict(line) for line in kept.ledger] == lines
    assert seen(kept.window) == seen(window_of(replayed))


def _lines(step: Any) -> list[Json]:
    return [line.as_dict() for line in step.lines] + ([step.visit.as_dict()] if step.visit is not None else [])


@given(case=cases())
@drawing(max_examples=40, deadline=None)
def test_keep_at_every_call_is_the_session_replayed(case: Case) -> None:
    follow(case)


@pytest.mark.parametrize("seed", range(25))
def test_keep_at_every_call_of_seeded_sessions(seed: int) -> None:
    follow(by_seed(seed))


LIMIT = Policy(budget=Budget(max=600, target=200, reserve=0))


def long_session(rounds: int, tail: int = 0) -> Transcript:
    messages = [asks("Check them all"), *(m for n in range(1, rounds + 1) for m in round_of(n, 300))]
    return loaded(session(*messages, *(asks("And?") for _ in range(tail))))


def test_an_unchanged_transcript_changes_nothing() -> None:
    archive, transcript = MemoryArchive(), long_session(20)
    first = keep(transcript, LIMIT, archive=archive)
    assert first.new and any(line["kind"] == "decision" for line in first.new)
    plan = archive.plan
    assert keep(transcript, LIMIT, archive=archive) == first
    assert archive.plan == plan
    again = keep(long_session(20), LIMIT, archive=archive)
    assert seen(again.window) == seen(first.window) and again.ledger == first.ledger


def test_what_was_decided_stands_while_the_window_is_under_its_limit() -> None:
    """Without the archive the longer session would be planned anew, and otherwise."""
    archive = MemoryArchive()
    before = keep(long_session(20), LIMIT, archive=archive)
    after = keep(long_session(20, tail=1), LIMIT, archive=archive)
    assert seen(after.window)[: len(seen(before.window))] == seen(before.window)
    assert after.ledger[: len(before.ledger)] == before.ledger


def test_transcript_and_ledger_rebuild_the_window() -> None:
    archive = MemoryArchive()
    for rounds in (5, 12, 20):
        kept = keep(long_session(rounds), LIMIT, archive=archive)
        assert rebuilt(kept) == [(part.role, part.blocks) for part in kept.window.parts]


def test_a_transcript_that_was_cut_back_forgets_the_visits_behind_the_cut() -> None:
    archive = MemoryArchive()
    keep(long_session(5), LIMIT, archive=archive)
    keep(long_session(20), LIMIT, archive=archive)
    assert [planned.call.number for planned in archive.plan] == [6, 21]
    keep(long_session(8), LIMIT, archive=archive)
    assert [planned.call.number for planned in archive.plan] == [6, 9]
    assert archive.holds(long_session(20).items[-1].id)


def standing(kept: Kept) -> set[int]:
    """Return the positions that are not in full."""
    held = {part.at for part in kept.window.parts if part.original is None}
    return {item.at for item in kept.window.transcript.items if item.at not in held}


def rebuilt(kept: Kept) -> list[tuple[Any, ...]]:
    made = Rebuilt()
    for line in kept.ledger:
        made.apply(line)
    transcript = kept.window.transcript
    return [(role, blocks) for _, role, blocks in made.window(transcript, len(transcript.items))]


ROOMY = Policy(budget=Budget(max=100_000, reserve=0))
EVICTING = Policy(budget=Budget(max=4_000, target=3_000, reserve=0), tool_results=ToolResults(evict_after_turns=2))


@pytest.mark.parametrize("before", [LIMIT, EVICTING, Policy("sliding-window", sliding_window=SlidingWindow(2))])
def test_a_new_policy_undoes_nothing(before: Policy) -> None:
    """Under a limit that all would fit into, what has left stays out; then the old limit goes on from there."""
    archive = MemoryArchive()
    first = keep(long_session(15), before, archive=archive, counter="chars:1")
    roomy = keep(long_session(16), ROOMY, archive=archive, counter="chars:1")
    assert standing(first) and standing(roomy) == standing(first)
    assert seen(roomy.window)[: len(first.window.parts)] == seen(first.window)
    assert not roomy.new
    for rounds in (17, 20, 30):
        last = keep(long_session(rounds), LIMIT, archive=archive, counter="chars:1")
        assert standing(last) >= standing(roomy)
        assert rebuilt(last) == [(part.role, part.blocks) for part in last.window.parts]
        assert sum("lists what left" in str(part.blocks) for part in last.window.parts) <= 1
        assert keep(long_session(rounds), LIMIT, archive=archive, counter="chars:1").ledger == last.ledger


def test_a_new_counter_undoes_nothing() -> None:
    archive = MemoryArchive()
    first = keep(long_session(15), LIMIT, archive=archive, counter="chars:1")
    again = keep(long_session(15), LIMIT, archive=archive, counter="chars:100")
    assert seen(again.window) == seen(first.window) and again.ledger == first.ledger


def test_what_a_later_flag_changes_for_earlier_visits_undoes_nothing() -> None:
    """With the task protected, flagging a later message unprotects the first request; what left before stays out."""
    chosen = Policy(budget=LIMIT.budget, protect=Protect(task=True, recent_turns=2))
    archive = MemoryArchive()
    first = keep(long_session(20), chosen, archive=archive)
    messages = [asks("Check them all"), *(m for n in range(1, 21) for m in round_of(n, 300)), asks("New", task=True)]
    later = keep(loaded(session(*messages)), chosen, archive=archive)
    assert standing(first) <= standing(later)
    assert later.ledger[: len(first.ledger)] == first.ledger
    assert rebuilt(later) == [(part.role, part.blocks) for part in later.window.parts]


def test_everything_is_in_the_archive_before_it_leaves() -> None:
    archive = MemoryArchive()
    transcript = long_session(20)
    keep(transcript, LIMIT, archive=archive)
    assert all(archive.blocks(item.id) == transcript.blocks(item.at) for item in transcript.items)


def test_any_strategy_keeps() -> None:
    chosen = Policy("sliding-window", sliding_window=SlidingWindow(keep_recent_turns=2))
    kept = keep(long_session(6), chosen, archive=MemoryArchive(), counter="chars:4")
    assert len(kept.window.parts) < len(kept.window.transcript.items)
    with pytest.raises(UsageError, match="unknown strategy"):
        keep(long_session(2), Policy("none such"), archive=MemoryArchive())


def test_the_ledger_is_plain_and_the_same_with_every_run() -> None:
    runs = []
    for _ in range(2):
        archive = MemoryArchive()
        runs.append([json.dumps(keep(long_session(n), LIMIT, archive=archive).ledger) for n in (4, 9, 20)])
    assert runs[0] == runs[1]


def test_the_default_counter_is_the_estimate() -> None:
    transcript = long_session(20)
    with_name = keep(transcript, LIMIT, archive=MemoryArchive(), counter="estimate")
    with_own = keep(transcript, LIMIT, archive=MemoryArchive(), counter=counts(transcript, "estimate").counter)
    assert keep(transcript, LIMIT, archive=MemoryArchive()).ledger == with_name.ledger == with_own.ledger
