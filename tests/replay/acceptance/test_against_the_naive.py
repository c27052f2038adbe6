"""The incremental lint agrees with a naive reading of every whole window, on drawn sessions, fixtures and real logs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.formats.logs import SHARED
from tests.generated import by_seed
from tests.naive_acceptance import BY_PROVIDER, Found, Part, naive_faults
from windowkeeper_cli.formats import load
from windowkeeper_cli.formats.registry import FORMATS
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.model.settings import ClearToolResults, Settings, SlidingTokens, SlidingWindow
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.acceptance.providers import PROVIDERS, sender_of
from windowkeeper_cli.replay.acceptance.windows import Growing
from windowkeeper_cli.replay.rebuild import Rebuilt
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = sorted(
    path
    for path in (ROOT / "fixtures").rglob("*")
    if path.suffix in (".json", ".jsonl") and path.name not in ("policy.json", "cases.jsonl", "vectors.jsonl")
)
REAL = sorted(path for path in (SHARED / "sessions").rglob("*") if path.is_file()) if SHARED.is_dir() else []
NAMES = tuple(PROVIDERS)


def parts(transcript: Transcript, rebuilt: Rebuilt, held: int, *, packed: bool) -> list[Part]:
    """Return the window that transcript and ledger make, as the naive reading wants it."""
    made: list[Part] = []
    for slot, role, blocks in rebuilt.window(transcript, held):
        at = slot // 2 if slot % 2 else None
        own = blocks if at is None else transcript.blocks(at)
        calls = () if at is None or not packed else transcript.items[at].calls
        spared = tuple(call.id for call in calls if (at, call.id) not in transcript.pairs)
        made.append(Part(at, role, blocks, own, spared))
    return made


def agree(transcript: Transcript, session: Session, *, packed: bool, every: int = 1) -> int:
    """Compare both readings at every call (every `every`-th, and the last); return how many faults there were."""
    growing, rebuilt, seen = Growing(transcript, NAMES, packed=packed), Rebuilt(), 0
    for step in session.steps():
        for line in step.lines:
            rebuilt.apply(line.as_dict())
        lints = growing.lints(session.fold, changed=any(line.moves for line in step.lines))
        if step.call % every and step.call != transcript.next_call.number:
            continue
        window = parts(transcript, rebuilt, session.fold.held, packed=packed)
        for name, lint in zip(NAMES, lints, strict=True):
            mine: set[Found] = {(fault.rule, fault.at, fault.id) for fault in lint.faults()}
            assert mine == naive_faults(window, name, packed), (name, step.call)
            assert lint.refuses == bool(mine)
            seen += len(mine)
    return seen


def test_both_readings_know_the_same_providers() -> None:
    assert set(BY_PROVIDER) == set(NAMES)


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_drawn_sessions(start: int) -> None:
    faults = 0
    for seed in range(start, start + 20):
        case = by_seed(seed)
        packed = random.Random(seed).random() < 0.5
        faults += agree(case.transcript, Session(case.transcript, case.counts, case.settings), packed=packed)
    assert faults > 100, "drawn sessions hold every kind of broken pair"


@pytest.mark.parametrize(
    "settings",
    [
        Settings("none"),
        Settings("sliding-window", sliding_window=SlidingWindow(2)),
        Settings("sliding-tokens", sliding_tokens=SlidingTokens(400)),
        Settings("clear-tool-results", clear_tool_results=ClearToolResults(300, keep=1, clear_tool_inputs=True)),
    ],
    ids=lambda settings: settings.strategy,
)
def test_drawn_sessions_under_other_strategies(settings: Settings) -> None:
    for seed in range(300, 330):
        case = by_seed(seed)
        agree(case.transcript, Session(case.transcript, case.counts, settings), packed=False)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_fixtures(path: Path) -> None:
    try:
        transcript = load(str(path))
    except WindowkeeperError:
        pytest.skip("no transcript")
    session = Session(transcript, counts(transcript, "estimate"), Settings())
    agree(transcript, session, packed=sender_of(transcript).packs)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_logs_agree_and_their_recorded_requests_are_accepted(path: Path) -> None:
    try:
        transcript = load(str(path))
    except WindowkeeperError:
        pytest.skip("not a log of a format that loads")
    sender = sender_of(transcript)
    settings = Settings("recorded" if transcript.events else "none")
    session = Session(transcript, counts(transcript, "estimate"), settings)
    if sender.provider is None or not transcript.calls:
        pytest.skip("no request of a known provider")
    growing = Growing(transcript, (sender.provider,), packed=sender.packs)
    refused = []
    for step in session.steps(len(transcript.calls)):
        (lint,) = growing.lints(session.fold, changed=any(line.moves for line in step.lines))
        refused += [(step.call, fault) for fault in lint.faults()]
    assert refused == []
    again = Session(transcript, counts(transcript, "estimate"), settings)
    agree(transcript, again, packed=sender.packs, every=max(len(transcript.calls) // 8, 1))


def test_every_format_says_who_sends_it() -> None:
    from windowkeeper_cli.formats.senders import SENDERS

    assert set(FORMATS.names) <= set(SENDERS)
