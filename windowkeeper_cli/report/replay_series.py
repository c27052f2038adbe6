"""The series of a replay: what each call came to under each policy."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.replay import Replayed
from windowkeeper_cli.replay.tariff import Tariff
from windowkeeper_cli.report.sheet import NUMBER, WORD, Column

WORDS = ("session", "policy", "time", "lastTool", "invalidation", "cacheExpired", "replan", "targetMissed")
KEYS = (
    *("session", "policy", "call", "time", "window", "prefix", "cached", "fresh", "step", "usedShare", "lastTool"),
    *("invalidation", "cacheExpired", "replan", "targetMissed", "new", "inForce", "money"),
)
SERIES = tuple(Column(key, key, WORD if key in WORDS else NUMBER) for key in KEYS)

PLACES = 6
"""Decimal places of the US dollars that one call costs."""


class Moment(NamedTuple):
    """A call's time as the log has it, and the tool whose result came last before it."""

    time: str | None
    last_tool: str | None


def moments(transcript: Transcript) -> tuple[Moment, ...]:
    """Return the moment of every recorded call."""
    found: list[Moment] = []
    tool: str | None = None
    held = 0
    for call in transcript.calls:
        for item in transcript.items[held : call.at]:
            if item.is_result:
                tool = item.tool_name
        held = call.at
        found.append(Moment(call.time, tool))
    return tuple(found)


def series(
    session: str, row: Replayed, times: tuple[Moment, ...], tariff: Tariff | None = None
) -> Iterator[dict[str, object]]:
    """Yield the shape `by-call` for every call, none of a policy that refused.

    The share is of the strategy's own limit, null where it has none. `money` is in US dollars, null without prices.
    """
    if row.costs is None:
        return
    for one, moment in zip(row.series, times, strict=True):
        yield {
            "session": session,
            "policy": row.name,
            "call": one.call,
            "time": moment.time,
            "window": one.window,
            "prefix": one.prefix,
            "cached": one.cached,
            "fresh": one.fresh,
            "step": one.step,
            "usedShare": round(one.window / row.limit, 4) if row.limit else None,
            "lastTool": moment.last_tool,
            "invalidation": one.invalidation,
            "cacheExpired": one.expired,
            "replan": one.replan,
            "targetMissed": one.target_missed,
            "new": one.new,
            "inForce": one.in_force,
            "money": None if tariff is None else round(tariff.money(one.window, one.cached), PLACES),
        }
