"""Do the figures of one checked session keep their bounds, and what made one miss?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.addresses import Addresses
from windowkeeper_cli.replay.checking import Measured
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.metering import CallCost
from windowkeeper_cli.replay.replay import Replayed
from windowkeeper_cli.report.figures import GAPS, figures_of, is_gaps, require_figure
from windowkeeper_cli.report.gap_counts import KEY_OF
from windowkeeper_cli.report.replay_rows import row_of

MAX, MIN = "max", "min"
UNMEASURED = ("money",)
"""Figures of a row that a check does not measure: it is told no model's prices."""
KEPT = 100
"""Pieces of evidence kept for one bound."""
FLAGS = {
    "callsOverLimit": "over_limit",
    "invalidations": "invalidation",
    "cacheExpired": "expired",
    "replans": "replan",
    "targetMissed": "target_missed",
    "recalls": "recalls",
    "requestLostCalls": "request_lost",
}
"""Figures that count calls, and what marks such a call."""
LARGEST = {"peak": "window", "steps.max": "step"}
"""Figures that one call alone makes, and by what."""


class Asked(NamedTuple):
    """A bound that a user set: at most (`max`) or at least (`min`) `bound`."""

    name: str
    kind: str
    bound: float


class Evidence(NamedTuple):
    """One thing that counted against a bound: the call, and what happened there in words."""

    call: int | None
    what: str


class Bound(NamedTuple):
    """A bound with the figure of one session, None where nothing measured it: then it holds, and says so."""

    name: str
    kind: str
    bound: float
    value: float | None
    evidence: tuple[Evidence, ...] = ()
    more: int = 0

    @property
    def ok(self) -> bool:
        """Return whether the figure keeps its bound."""
        if self.value is None:
            return True
        return self.value <= self.bound if self.kind == MAX else self.value >= self.bound

    @property
    def sentence(self) -> str:
        """Return the figure and its bound: `gaps 3 > 2`."""
        value, bound = _number(self.value), _number(self.bound)
        sign = {(True, MAX): "<=", (False, MAX): ">", (True, MIN): ">=", (False, MIN): "<"}[self.ok, self.kind]
        return f"{self.name} {value} {sign} {bound}" if self.value is not None else f"{self.name}: not measured"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4f}".rstrip("0")


def asked_of(settings: Settings, where: str, given: Sequence[Asked]) -> tuple[Asked, ...]:
    """Return the bounds of a policy with those given beside it, which replace the policy's own of that name and kind.

    Raises UsageError naming the figures there are, for a name that is none.
    """
    own = [Asked(name, MAX, bound) for name, bound in settings.check.max.items()]
    own += [Asked(name, MIN, bound) for name, bound in settings.check.min.items()]
    for one in own:
        require_figure(one.name, f"{where}: check.{one.kind}", without=UNMEASURED)
    for one in given:
        require_figure(one.name, f"--{one.kind}", without=UNMEASURED)
    return tuple({(one.name, one.kind): one for one in (*own, *given)}.values())


def needs_gaps(asked: Sequence[Asked]) -> bool:
    """Return whether a bound is on evidence gaps."""
    return any(is_gaps(one.name) for one in asked)


def bounds_of(asked: Sequence[Asked], measured: Measured, transcript: Transcript) -> tuple[Bound, ...]:
    """Return each bound with the session's figure; one that is missed has its evidence."""
    if not asked:
        return ()
    session = measured.session
    replayed = Replayed("", measured.costs, measured.series, session.strategy.limit, gaps=measured.gaps)
    figures = figures_of(row_of("", "", session.settings, [replayed]))
    found: list[Bound] = []
    for one in asked:
        bound = Bound(one.name, one.kind, one.bound, figures[one.name])
        if not bound.ok:
            evidence = tuple(evidence_of(one.name, measured, transcript))
            bound = bound._replace(evidence=evidence[:KEPT], more=max(len(evidence) - KEPT, 0))
        found.append(bound)
    return tuple(found)


def evidence_of(name: str, measured: Measured, transcript: Transcript) -> Iterator[Evidence]:
    """Yield what made a figure as large as it is, in order of calls; nothing for one that no single call makes."""
    series = measured.series
    if is_gaps(name):
        for gap in measured.gaps or ():
            if name == GAPS or name.partition(".")[2] in (KEY_OF.get(gap.kind), gap.address):
                yield Evidence(gap.call, gap_words(gap, measured.details))
    elif name in FLAGS:
        limit = measured.session.strategy.limit
        for cost in series:
            if getattr(cost, FLAGS[name]):
                yield Evidence(cost.call, _window_words(name, cost, limit))
    elif name in LARGEST and series:
        cost = max(series, key=lambda one: getattr(one, LARGEST[name]))
        yield Evidence(cost.call, f"window {cost.window:,} tokens, {cost.step:+,} since the call before")
    elif name in ("itemsLost", "observationsLeft"):
        yield from _left(name, measured, transcript)


def gap_words(gap: Gap, details: Mapping[tuple[int, int], str]) -> str:
    """Return a gap in words: kind, what was used, when and by which rule its source left, its address."""
    words = f"{gap.kind}  {one_line(gap.use)}"
    if gap.left_call is None:
        return f"{words}   {gap.address}"
    detail = "" if gap.source is None else details.get((gap.left_call, gap.source), "")
    why = f" ({one_line(detail)})" if detail else ""
    by = "" if gap.rule is None else f" by {gap.rule}"
    return f"{words}   left at {gap.left_call}{by}{why}; {gap.address}"


def _window_words(name: str, cost: CallCost, limit: int | None) -> str:
    if name == "callsOverLimit" and limit is not None:
        return f"window {cost.window:,} tokens, {cost.window - limit:,} over the limit of {limit:,}"
    if name == "invalidations":
        return f"window {cost.window:,} tokens, only the first {cost.prefix:,} as before"
    return f"window {cost.window:,} tokens"


def _left(name: str, measured: Measured, transcript: Transcript) -> Iterator[Evidence]:
    """Yield the items that are lost, or the observations that are not in full, in the last window."""
    session = measured.session
    addresses = Addresses(session)
    lost, seen = name == "itemsLost", set[str]()
    for line in session.standing():
        if line.at is None or (lost and (line.item in seen or not addresses.is_lost(line.at))):
            continue
        item = transcript.items[line.at]
        if lost or item.is_result:
            seen.add(line.item)
            what = item.tool_name or item.role
            resource = f" {one_line(item.resource)}" if item.resource else ""
            yield Evidence(line.call, f"{line.item}  {one_line(what)}{resource}   left by {line.rule}")
