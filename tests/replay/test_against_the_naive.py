"""Every strategy beside the reducer: the engine and the naive engine agree call by call, on whatever comes.

They agree in decision lines, visit lines with all that is filed in them, and meters. What the naive engine found is
below, each with the value that the specification asks for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests import generated, generated_strategies, naive
from tests.formats.logs import LogFile, call
from tests.generated import Case
from tests.generated_strategies import DRAWN, REFERENCE, by_seed
from tests.replay.test_against_the_oracle import engine
from tests.sessions import Line, asks, calls, gives, ran, round_of, session
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.tokens.chars import count

SEEDS, CHUNK = 60, 20
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
BY_ORACLE = {"windowkeeper", "none"}


def by_engine(transcript: Transcript, counts: Counts, settings: Settings) -> list[Any]:
    """Return what the engine writes at each call, ended by a word where it met a call reported as 0 and 0."""
    found: list[Any] = []
    steps = Session(transcript, counts, settings).steps()
    while True:
        try:
            step = next(steps, None)
        except CompactionUnmeasurableError:
            return [*found, naive.UNMEASURABLE]
        if step is None:
            return found
        visit = None if step.visit is None else step.visit.as_dict()
        meter = (step.meter.window, step.meter.prefix, step.meter.broken)
        found.append(([line.as_dict() for line in step.lines], visit, meter))


def same(case: Case) -> list[Any]:
    """Assert that both engines agree, and return what they say."""
    mine = by_engine(case.transcript, case.counts, case.settings)
    theirs = naive.run(case.transcript, case.counts, case.settings)
    for number, (ours, other) in enumerate(zip(mine, theirs, strict=True), 1):
        assert ours == other, f"call {number} under {case.policy}"
    return mine


@cache
def agreed(strategy: str, seed: int) -> list[Any]:
    return same(by_seed(strategy, seed))


def test_every_strategy_has_a_naive_engine() -> None:
    assert {*naive.NAIVE, *BY_ORACLE} == set(STRATEGIES.names)
    assert {*DRAWN, "recorded"} == set(naive.NAIVE)


@pytest.mark.parametrize("start", range(0, SEEDS, CHUNK))
@pytest.mark.parametrize("strategy", DRAWN)
def test_fixed_seeds(strategy: str, start: int) -> None:
    for seed in range(start, start + CHUNK):
        agreed(strategy, seed)


@given(st.sampled_from(DRAWN).flatmap(generated_strategies.cases))
@hypothesis_settings(max_examples=60, deadline=None, phases=PHASES, suppress_health_check=list(HealthCheck))
def test_whatever_hypothesis_finds(case: Case) -> None:
    same(case)


def test_the_seeds_reach_everything() -> None:
    # A generator that no longer draws something would test nothing, quietly.
    actions: dict[str, set[str]] = {}
    reasons: set[str] = set()
    filed: set[str] = set()
    for strategy in DRAWN:
        for seed in range(SEEDS):
            for entry in agreed(strategy, seed):
                lines, visit = (entry[0], entry[1] or {}) if not isinstance(entry, str) else ([], {entry: True})
                actions.setdefault(strategy, set()).update(line["action"] for line in lines)
                reasons |= {refusal["reason"] for refusal in visit.get("refusals", ())}
                filed |= set(visit) | {f"trigger {visit.get('trigger')}"}
                seen = visit.get("observations", {})
                filed |= {f"observations {key}" for key, value in seen.items() if value}
                filed |= {"stages"} if visit.get("removedStageIds") else set()
                filed |= {"survived"} if any(e["survivalMs"] for e in visit.get("evictions", ())) else set()
    assert actions == {
        "sliding-window": {"trim", "insert", "retract"},
        "token-budget": {"trim", "insert", "retract"},
        "summarize-oldest": {"fold", "insert", "retract"},
        "sliding-tokens": {"trim", "over-limit"},
        "clear-tool-results": {"clear"},
        "handles": {"truncate"},
        "tiered": {"evict", "fold", "insert", "retract", "not-smaller", "over-limit"},
    }
    assert reasons == {
        "current-request", "system-envelope", "paused-tool", "pending-check-in", "unresolved-tool-call",
        "last-tool-result", "inside-keep-window", "only-existing-summary", "replacement-not-smaller", "pinned",
        "protected-task", "split-pair",
    }  # fmt: skip
    assert filed >= {
        naive.UNMEASURABLE, "droppedObservations", "summarizerSkipped", "summarizerTokens", "stages", "survived",
        "observations pinned", "observations yielded", "observations standDown", "rebase", "trigger idle",
        "trigger tokens", "trigger turns", "trigger results", "targetMissed", "brokeAt",
    }  # fmt: skip


# What the naive engine found


def clearing(**own: Any) -> Line:
    return {"strategy": "clear-tool-results", "clearToolResults": {"trigger": 0, "keep": 1, **own}}


def test_an_idle_gap_is_seen_whatever_the_budget_says() -> None:
    # spec/6: `idleMinutes`: only after such a gap. It is a setting of its own, and needs no `budget.idleSeconds`.
    dated = [
        asks("Go", time="2026-11-29T10:00:00Z"),
        *[message | {"time": "2026-11-29T10:01:00Z"} for n in (1, 2) for message in round_of(n, 100)],
        asks("More", time="2026-11-29T12:00:00Z"),
    ]
    found = ran(dated, clearing(idleMinutes=60))
    assert found.moves() == [(3, "clear", 2)]
    assert [visit["trigger"] for visit in found.visits] == ["idle"]
    assert ran(dated, clearing(idleMinutes=200)).moves() == []


TWO: Line = {"role": "assistant", "content": "Both.", "toolCalls": [
    {"id": "c1", "name": "bash", "args": {"n": 1}}, {"id": "c2", "name": "bash", "args": {"n": 2}},
]}  # fmt: skip


def test_a_message_keeps_its_arguments_while_one_of_its_calls_is_unanswered() -> None:
    # spec/6: results are cleared, and with clearToolInputs "the call's arguments too": those of a call without a
    # cleared result are not its to clear.
    waiting = [asks("Go"), TWO, gives(1), *round_of(3, 100)]
    assert ran(waiting, clearing(clearToolInputs=True)).moves() == [(3, "clear", 2)]


def test_a_message_keeps_its_arguments_while_a_late_result_of_it_is_in_full() -> None:
    late = [asks("Go"), TWO, gives(1), asks("Hm", injected=True), gives(2), *round_of(3, 100)]
    found = ran(late, clearing(clearToolInputs=True, keep=2))
    assert found.moves() == [(3, "clear", 2)]
    found = ran(late, clearing(clearToolInputs=True, keep=1))
    assert found.moves() == [(2, "clear", 2), (3, "clear", 4), (3, "clear", 1)]


def test_what_clear_at_least_counts_is_what_is_freed() -> None:
    # Under chars:1 a result of 30 frees 5 tokens against the placeholder of 25, and one of 10 costs 15 more.
    messages = [asks("Go"), *round_of(1, 30), *round_of(2, 10), *round_of(3, 100)]
    assert ran(messages, clearing(clearAtLeast=1)).moves() == [(3, "clear", 2)]
    assert ran(messages, clearing(clearAtLeast=6)).moves() == []
    # With its arguments {"n":1} cleared to {}, the first round frees 5 more.
    assert ran(messages, clearing(clearAtLeast=10, clearToolInputs=True)).moves() == [(3, "clear", 2), (3, "clear", 1)]
    assert ran(messages, clearing(clearAtLeast=11, clearToolInputs=True)).moves() == []


def test_strict_pairs_hold_a_call_whose_reused_id_only_looks_answered() -> None:
    # spec/6: with pins.strictPairs a turn whose call is answered in a later turn leaves only with it. Both messages
    # call c1; the first result answers one of them, and the other is still to come when the window is planned.
    messages = [
        asks("Go"), calls(1), calls(1), gives(1), *round_of(2, 900), *round_of(3, 900), gives(1), *round_of(4, 900),
        *round_of(5, 900),
    ]  # fmt: skip
    own = {"slidingWindow": {"keepRecentTurns": 1}, "strategy": "sliding-window"}
    loose = ran(messages, own | {"pins": {"keepLastToolResults": False}})
    strict = ran(messages, own | {"pins": {"keepLastToolResults": False, "strictPairs": True}})
    assert (3, "trim", 1) in loose.moves()
    assert not [move for move in strict.moves() if move[1:] == ("trim", 1) and move[0] < 5]
    assert ("split-pair", "turn", 1) in strict.refusals()


def test_an_equal_text_in_place_of_another_breaks_no_prefix() -> None:
    # spec/7: the prefix is what the two windows have in common, as (item or stand-in, form, text). In each of two
    # runs the first visit folds as many messages at the same iteration, so that its summary reads the same.
    one, two = ([asks(f"Do {n}"), *round_of(n, 900), *round_of(n + 5, 900)] for n in (1, 2))
    made = {"strategy": "tiered", "tiered": {"limit": 2_000, "targetShare": 1, "keepRecentItems": 2, "minMiddle": 2,
            "summaryTokens": 30, "evictOverTokens": 5_000}}  # fmt: skip
    found = ran([*one, *two, asks("Do 3"), *round_of(3, 900)], made)
    texts = [line["text"] for line in found.lines if line["action"] == "insert"]
    again = [step for step in found.steps if [line.action for line in step.lines][-2:] == ["retract", "insert"]]
    assert len(set(texts)) == 1
    assert len(texts) > 1
    for step in again:
        first = min(line.at for line in step.lines if line.at is not None)
        assert step.visit is not None
        assert step.visit.broke_at == first


def test_nothing_that_is_not_yet_there_has_tokens() -> None:
    # A first call with nothing before it is over the limit by the unseen prefix alone: what holds it is no item.
    case = by_seed("tiered", 318)
    line = by_engine(case.transcript, case.counts, case.settings)[0][0][0]
    assert (line["action"], line["tokensBefore"], line["tokensAfter"]) == ("over-limit", 0, 0)


@pytest.mark.parametrize("counter", ["chars:1", "estimate"])
def test_a_window_counted_as_empty_is_not_unmeasured(counter: str) -> None:
    # spec/5, 7.6: a provider's report of 0 and 0 is no figure. A what-if reads its own count (spec/6), which is one.
    said = {"role": "assistant", "content": ""}
    own = {"strategy": "token-budget", "tokenBudget": {"thresholdTokens": 1}}
    assert ran([said, said, *round_of(1, 9), *round_of(2, 9)], own, counter).visits[0]["call"] == 5


@pytest.mark.parametrize("strategy", ["summarize-oldest", "tiered"])
def test_the_harnesss_own_summary_is_used_at_the_call_after_its_compaction(strategy: str) -> None:
    # spec/6: "where the log holds the harness's real summary at that place, that is used".
    log = LogFile()
    log.user("Go on")
    for number in range(3):
        log.reply(f"m{number}", call(f"b{number}", command=f"ls {number}"))
        last = log.result(f"b{number}", "file " * 200)
    log.add("system", parent=None, subtype="compact_boundary", logicalParentUuid=last)
    log.user("There were files.", isCompactSummary=True)
    for number in (3, 4):
        log.reply(f"m{number}", call(f"b{number}", command=f"ls {number}"))
        log.result(f"b{number}", "file " * 200)
    transcript = log.load()
    own = {"summarizeOldest": {"thresholdTokens": 600, "keepRecentTurns": 1, "summaryTokens": 9}}
    own |= {"pins": {"keepLastToolResults": False}, "tiered": {"limit": 600, "targetShare": 1, "keepRecentItems": 2}}
    made = generated.settings({"strategy": strategy, **own})
    counted = count(transcript, "1")
    mine = engine(transcript, replace(counted, explicit=True), made)
    assert mine == naive.run(transcript, replace(counted, explicit=True), made)
    texts = {line["call"]: line["text"] for lines, _, _ in mine for line in lines if line["action"] == "insert"}
    assert texts[4].endswith("There were files.")
    assert not any(text.endswith("There were files.") for number, text in texts.items() if number != 4)


def test_the_engine_agrees_on_documents_without_a_request() -> None:
    for strategy in REFERENCE:
        for messages in ([calls(1), gives(1), calls(2), gives(2)], [gives(1), gives(2), calls(1)]):
            document = session(*messages, *[part for n in range(3, 9) for part in round_of(n, 400)])
            own: Line = {"strategy": strategy, "pins": {"keepLastToolResults": 1}}
            own |= {"slidingWindow": {"keepRecentTurns": 2}, "tokenBudget": {"thresholdTokens": 9}}
            own |= {"summarizeOldest": {"thresholdTokens": 9, "keepRecentTurns": 1, "summaryTokens": 9}}
            made = ran(document, own).session
            again = engine(made.transcript, made.counts, made.settings)
            assert again == naive.run(made.transcript, made.counts, made.settings)
