"""The ledger rebuilds the window."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 9
TEXT = RuleText(
    name="ledger-adds-up",
    kind="invariant",
    what="Transcript and ledger rebuild the window exactly, and each visit's tokens are the sum over its lines.",
    why="Every report is a view of the ledger; it must say everything.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield differences between the window and the one that the ledger lines rebuild, in content and in tokens."""
    session, step = probe.session, probe.step
    fold, rebuilt = session.fold, probe.rebuilt
    for at in fold.not_in_full():
        if rebuilt.standing.get(at) != fold.standing(at):
            yield probe.failure((at,), "the ledger rebuilds another form of it")
    for at in sorted(rebuilt.standing.keys() - set(fold.not_in_full())):
        yield probe.failure((at,), "the ledger moved it, and it stands in full")
    standing = {insert.slot: (insert.stands, insert.item, insert.text) for insert in fold.inserted()}
    if rebuilt.inserts != standing:
        yield probe.failure((), "the ledger rebuilds other texts of ours")
    if step.visit is not None:
        moved = sum(line.tokens_after - line.tokens_before for line in step.lines)
        if step.visit.tokens_after - step.visit.tokens_before != moved:
            yield probe.failure((), f"its lines add up to {moved:,} tokens, the visit says otherwise")
    if probe.is_last:
        yield from _recount(probe)


def _recount(probe: Probe) -> Iterator[Failure]:
    session = probe.session
    counter = session.counts.counter
    window = probe.rebuilt.window(session.transcript, session.fold.held)
    total = counter.label.unseen_prefix + sum(counter.blocks(blocks) for _, _, blocks in window)
    if total != session.fold.tokens:
        yield probe.failure((), f"counted anew the window has {total:,} tokens, not {session.fold.tokens:,}")
