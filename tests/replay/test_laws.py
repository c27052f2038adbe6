"""The laws of the ledger on generated sessions: it rebuilds the window, and it is the same bytes every time."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.generated import Case, by_seed, loaded
from tests.sessions import asks, gives, policy, ran, round_of
from windowkeeper_cli.model.block import Blocks, Text
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.payload import payload
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.replay.ledger import head, ledger_lines, line_bytes
from windowkeeper_cli.replay.rebuild import Rebuilt
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts

ROOT = Path(__file__).resolve().parents[2]
Window = list[tuple[int, str, Blocks]]


def ledger(case: Case) -> list[bytes]:
    """Return the ledger of a case, a line each."""
    session = Session(case.transcript, case.counts, case.settings)
    first = head(case.transcript, case.counts.counter.label, "what-if", "0" * 12, "windowkeeper")
    return [line_bytes(line) for line in ledger_lines(first, session.steps())]


def digest(seeds: range) -> str:
    """Return one SHA-256 over the ledgers of these seeds."""
    found = hashlib.sha256()
    for seed in seeds:
        for line in ledger(by_seed(seed)):
            found.update(line)
    return found.hexdigest()


def stands(session: Session) -> Window:
    """Return the window as the fold holds it."""
    fold, transcript = session.fold, session.transcript
    texts = {insert.slot: insert.text for insert in fold.inserted()}
    found: Window = [(slot, "user", (Text(text),)) for slot, text in texts.items()]
    for at in range(fold.held):
        form, text, cut = fold.standing(at)
        if form is not Form.OUT:
            blocks = blocks_in_form(transcript.blocks(at), form, text, cut)
            found.append((2 * at + 1, transcript.items[at].role, blocks))
    return sorted(found, key=lambda entry: entry[0])


@pytest.mark.parametrize("start", range(0, 60, 15))
def test_the_ledgers_bytes_rebuild_the_window_at_every_call(start: int) -> None:
    for seed in range(start, start + 15):
        case = by_seed(seed)
        lines = [json.loads(line) for line in ledger(case)][1:]
        session, rebuilt = Session(case.transcript, case.counts, case.settings), Rebuilt()
        sent: Window = []
        sizes = {entry["call"]: entry for entry in lines if entry["kind"] == "visit"}
        for call, step in zip(case.transcript.all_calls(), session.steps(), strict=True):
            while lines and lines[0]["call"] == call.number:
                rebuilt.apply(lines.pop(0))
            window = list(rebuilt.window(case.transcript, call.at))
            assert window == stands(session), (seed, call.number)
            tokens = [case.counts.counter.blocks(blocks) for _, _, blocks in window]
            assert sum(tokens) == step.meter.window == session.fold.tokens
            same = 0
            while same < min(len(window), len(sent)) and window[same] == sent[same]:
                same += 1
            assert step.meter.prefix == sum(tokens[:same])
            assert step.meter.broken == (same < len(sent))
            if call.number in sizes:
                assert sizes[call.number]["tokensAfter"] == step.meter.window
            sent = window
        assert lines == []


@pytest.mark.parametrize("seed", range(30))
def test_tokens_of_a_visit_are_the_sum_over_its_lines(seed: int) -> None:
    session = by_seed(seed)
    for step in Session(session.transcript, session.counts, session.settings).steps():
        if step.visit is not None:
            moved = sum(line.tokens_after - line.tokens_before for line in step.lines)
            assert step.visit.tokens_after - step.visit.tokens_before == moved


def test_a_standing_decision_is_undone_only_by_a_line_on_the_same_item() -> None:
    for seed in range(40):
        case = by_seed(seed)
        session = Session(case.transcript, case.counts, case.settings)
        before: dict[int, object] = {}
        for step in session.steps():
            now = {at: session.fold.standing(at) for at in session.fold.not_in_full()}
            named = {line.at for line in step.lines if line.moves}
            changed = {at for at in before.keys() | now.keys() if before.get(at) != now.get(at)}
            assert changed == {at for at in named if at is not None}
            before = dict(now)


def test_repeated_runs_write_the_same_bytes() -> None:
    assert digest(range(25)) == digest(range(25))


def test_a_fresh_process_with_another_hash_seed_writes_the_same_bytes() -> None:
    program = "from tests.replay.test_laws import digest; print(digest(range(25)))"
    found = set()
    for hash_seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        found.add(done.stdout.strip())
    assert found == {digest(range(25))}


def test_with_none_the_window_is_the_transcript_byte_for_byte() -> None:
    for seed in range(40):
        case = by_seed(seed)
        session = Session(case.transcript, case.counts, replace(case.settings, strategy="none"))
        rebuilt = Rebuilt()
        for call, step in zip(case.transcript.all_calls(), session.steps(), strict=True):
            assert (step.lines, step.visit) == ((), None)
            window = [payload(role, blocks) for _, role, blocks in rebuilt.window(case.transcript, call.at)]
            items = case.transcript.items[: call.at]
            assert window == [payload(item.role, case.transcript.blocks(item.at)) for item in items]
            assert stands(session) == list(rebuilt.window(case.transcript, call.at))


def test_visiting_the_last_call_again_changes_nothing() -> None:
    for seed in range(60):
        case = by_seed(seed)
        session = Session(case.transcript, case.counts, case.settings)
        last = list(session.steps())[-1]
        again = session.visit(case.transcript.next_call)
        assert [line for line in again.lines if line.moves] == [], seed
        assert (again.meter.window, again.meter.prefix) == (last.meter.window, last.meter.window)
        assert not again.meter.broken


def test_the_archive_holds_every_item_and_every_list() -> None:
    for seed in range(40):
        case = by_seed(seed)
        session = Session(case.transcript, case.counts, case.settings)
        trimmed: dict[str, None] = {}
        notices: set[str] = set()
        for step in session.steps():
            trimmed |= dict.fromkeys(line.item for line in step.lines if line.action == "trim")
            notices |= {line.item for line in step.lines if line.action == "insert"}
        for item in case.transcript.items:
            blocks = session.archive.blocks(item.id)
            assert blocks is not None
            assert payload(item.role, blocks) == payload(item.role, case.transcript.blocks(item.at))
        assert len(notices) <= 1, "the notice is constant"
        for notice in notices:
            assert session.archive.list(notice) == tuple(trimmed)


def test_what_is_in_force_is_the_last_line_of_each_item() -> None:
    for seed in range(40):
        case = by_seed(seed)
        session = Session(case.transcript, case.counts, case.settings)
        last: dict[int, object] = {}
        for step in session.steps():
            last |= {line.at: line for line in step.lines if line.moves and line.at is not None}
        standing = {line.at: line for line in session.standing() if line.at is not None}
        assert standing == {at: last[at] for at in session.fold.not_in_full()}
        for at in range(len(case.transcript.items)):
            line = standing.get(at)
            assert session.rule_of(at) == (None if line is None else line.rule)


def prefixes(seed: int) -> tuple[Case, list[int]]:
    """Return a case whose document says nothing of its own end, and the positions of its assistant messages."""
    document = by_seed(seed).document
    messages = [{key: value for key, value in message.items() if key != "task"} for message in document["messages"]]
    case = by_seed(seed)
    transcript = loaded({"format": document["format"], "messages": messages})
    counted = counts(transcript, "chars:4")
    replies = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    return Case({"messages": messages}, case.policy, transcript, counted, case.settings), replies


def cut_short(case: Case, at: int) -> list[object]:
    """Return the steps of the session that ends before position `at`, the last of them being its next call."""
    transcript = loaded({"format": "windowkeeper/1", "messages": case.document["messages"][:at]})
    return list(Session(transcript, counts(transcript, "chars:4"), case.settings).steps())


REUSED = "duplicate-tool-call-id"


@pytest.mark.parametrize("start", range(0, 60, 15))
def test_no_visit_knows_what_comes_later(start: int) -> None:
    # spec/7: what would this policy have sent at that call. keep() is given the transcript so far and nothing else.
    for seed in range(start, start + 15):
        case, replies = prefixes(seed)
        if any(finding.kind == REUSED for finding in case.transcript.findings):
            continue
        whole = list(Session(case.transcript, case.counts, case.settings).steps())
        for number in sorted({len(replies) // 3, 2 * len(replies) // 3} - {0}):
            at = replies[number - 1]
            if at:
                assert cut_short(case, at) == whole[:number], (seed, number)


def test_no_visit_knows_what_comes_later_where_an_id_is_used_again() -> None:
    # The second call c1 is open at call 4 whether or not its result ever comes.
    second = {"role": "assistant", "toolCalls": [{"id": "c1", "name": "read_log", "args": {"n": 2}}]}
    messages = [asks("Go"), *round_of(1, 500), second, *round_of(3, 500), *round_of(4, 500)]
    made = policy(1_000, 0, trim={"enabled": True})
    assert ran(messages, made).steps[:4] == ran([*messages, gives(1, "late")], made).steps[:4]
