"""Under the limit, the prefix stands."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 5
TEXT = RuleText(
    name="no-new-removal",
    kind="invariant",
    what="A window at or under the limit begins with the whole previous window, unless the ledger says what acted.",
    why="The provider's prompt cache lives on an unchanged prefix.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield the call whose prefix broke with no re-plan, recall or expiry to answer for it."""
    step = probe.step
    visit = step.visit
    acted = set() if visit is None else set(visit.trigger.split("+")) - {"waiting"}
    if step.meter.broken and (visit is None or not acted or visit.broke_at is None):
        yield probe.failure((), "the window does not begin with the previous one, and the ledger does not say where")
    if step.meter.broken and acted == {"resurface"}:
        other = {line.rule for line in step.lines if line.moves} - {"resurface.identifiers", "trim.enabled"}
        if other:
            yield probe.failure((), f"only resurface may act here, and {', '.join(sorted(other))} moved something")
    if visit is not None and "budget" in acted and visit.limit is not None:
        earlier = [line for line in step.lines if line.moves and line.rule in ("resurface.identifiers", "expire")]
        most = visit.tokens_before + sum(max(line.tokens_after - line.tokens_before, 0) for line in earlier)
        if most <= visit.limit:
            yield probe.failure((), f"a re-plan at {most:,} tokens, under the limit of {visit.limit:,}")
