"""One policy's row in a replay: sums over sessions, and how the figures spread over them."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.metering import Costs, together
from windowkeeper_cli.replay.replay import Replayed
from windowkeeper_cli.report.gap_counts import KINDS, all_kinds, gap_counts
from windowkeeper_cli.report.rank import rank
from windowkeeper_cli.report.sheet import NUMBER, WORD, Cell, Column, cell_of

PERCENTS = (10, 50, 90)
FIGURES = (
    *("windowTokens", "cachedTokens", "freshTokens", "cacheReuse", "invalidations", "cacheExpired", "costWeighted"),
    *("money", "peak", "callsOverLimit", "replans", "targetMissed", "itemsLost", "observationsLeft"),
)


class Row(NamedTuple):
    """A policy over the sessions that it ran on; `costs` None and `refused` a reason where it ran on none.

    `refusals` counts the sessions that it refused. `spread` holds the cost-weighted tokens of 10, 50 and 90 percent
    of the sessions, `gap_spread` their gaps. `bounded` says that the strategy has a limit to be over. `gaps` counts
    gaps by kind and by address, None where none were looked for.
    """

    policy: str
    id: str
    strategy: str
    modelled: bool
    refused: str | None
    sessions: int
    costs: Costs | None
    spread: tuple[float, ...]
    bounded: bool
    refusals: int = 0
    why: str | None = None
    gaps: dict[str, int] | None = None
    gap_spread: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the shape ROW."""
        return {
            "policy": self.policy,
            "id": self.id,
            "strategy": self.strategy,
            "modelled": self.modelled,
            "refused": self.refused,
            "sessions": self.sessions,
            "calls": 0 if self.costs is None else self.costs.calls,
            **(dict.fromkeys(FIGURES) if self.costs is None else self._figures(self.costs)),
            "gaps": dict.fromkeys(KINDS) if self.gaps is None else dict(self.gaps),
            "recalls": None if self.costs is None else self.costs.recalls,
            "requestLostCalls": None if self.costs is None else self.costs.request_lost,
            "steps": dict(zip(("p50", "p95", "max"), self.steps(), strict=True)),
            "spread": {"costWeighted": list(self.spread), "gaps": list(self.gap_spread)},
        }

    def steps(self) -> tuple[int | None, int | None, int | None]:
        """Return the middle, the 95th percentile and the largest of all steps, None where there was none."""
        if self.costs is None or not self.costs.steps:
            return None, None, None
        ordered = sorted(self.costs.steps)
        return rank(ordered, 50), rank(ordered, 95), ordered[-1]

    def _figures(self, costs: Costs) -> dict[str, object]:
        reuse = costs.cache_reuse
        return {
            "windowTokens": costs.window,
            "cachedTokens": costs.cached,
            "freshTokens": costs.fresh,
            "cacheReuse": None if reuse is None else round(reuse, 4),
            "invalidations": costs.invalidations,
            "cacheExpired": costs.expired,
            "costWeighted": round(costs.cost_weighted, 1),
            "money": None if costs.money is None else round(costs.money, 4),
            "peak": costs.peak,
            "callsOverLimit": costs.over_limit if self.bounded else None,
            "replans": costs.replans,
            "targetMissed": costs.target_missed,
            "itemsLost": costs.items_lost,
            "observationsLeft": costs.observations_left,
        }


def row_of(policy: str, policy_id: str, settings: Settings, replayed: Sequence[Replayed]) -> Row:
    """Return the row of a policy over what it came to on each session; there is one session at least."""
    costs = [one.costs for one in replayed if one.costs is not None]
    why = next((one.refused for one in replayed if one.costs is None), None)
    prices = sorted(one.cost_weighted for one in costs)
    counted = [gap_counts(one.gaps) for one in replayed if one.gaps is not None]
    needed = sorted(all_kinds(one) for one in counted)
    return Row(
        policy=policy,
        id=policy_id,
        strategy=settings.strategy,
        modelled=any(one.modelled for one in replayed),
        refused=None if costs else why,
        sessions=len(costs),
        costs=together(costs) if costs else None,
        spread=tuple(round(rank(prices, percent), 1) for percent in PERCENTS) if prices else (),
        bounded=any(one.limit is not None for one in replayed),
        refusals=len(replayed) - len(costs),
        why=why,
        gaps={kind: sum(one[kind] for one in counted) for kind in KINDS} if counted else None,
        gap_spread=tuple(rank(needed, percent) for percent in PERCENTS) if needed else (),
    )


WORDS = ("policy", "id", "strategy", "modelled", "refused")
NAMES = (
    *("policy", "id", "strategy", "modelled", "refused", "sessions", "calls", *FIGURES),
    *(f"gaps.{kind}" for kind in KINDS),
    *("recalls", "requestLostCalls", "steps.p50", "steps.p95", "steps.max"),
    *(f"spread.costWeighted.p{percent}" for percent in PERCENTS),
    *(f"spread.gaps.p{percent}" for percent in PERCENTS),
)
FLAT = tuple(Column(name, name, WORD if name in WORDS else NUMBER) for name in NAMES)
"""ROW as columns of a file, the keys of inner objects dotted."""


def flat(row: Row) -> tuple[Cell, ...]:
    """Return a row's cells under the columns of `FLAT`."""
    shape = row.as_dict()
    values: dict[str, object] = {name: shape[name] for name in NAMES if name in shape}
    values.update(zip(("steps.p50", "steps.p95", "steps.max"), row.steps(), strict=True))
    values.update(
        (f"spread.costWeighted.p{percent}", cost) for percent, cost in zip(PERCENTS, row.spread, strict=False)
    )
    values.update((f"spread.gaps.p{percent}", gaps) for percent, gaps in zip(PERCENTS, row.gap_spread, strict=False))
    values.update((f"gaps.{kind}", count) for kind, count in (row.gaps or {}).items())
    return tuple(cell_of(values.get(name)) for name in NAMES)
