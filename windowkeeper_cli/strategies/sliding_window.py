"""Sliding window: the newest turns stay, what is older leaves, one span a visit."""

from __future__ import annotations

from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.drop import drop
from windowkeeper_cli.strategies.options import require
from windowkeeper_cli.strategies.record import base, observed, results
from windowkeeper_cli.strategies.reference import pin_limit, reference_guards
from windowkeeper_cli.strategies.strategy import Plain

RULE = "slidingWindow.keepRecentTurns"
TEXT = RuleText(
    name="sliding-window",
    kind="strategy",
    what="Drops the oldest run of turns that may leave whenever the window has more turns than keepRecentTurns.",
    why="It needs no token figure at all, so it runs where nothing is counted.",
    key=RULE,
    source="agentfootprint 9.62.0",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2), calls(3), gives(3)),
        policy={
            "strategy": "sliding-window",
            "slidingWindow": {"keepRecentTurns": 1},
            "pins": {"keepLastToolResults": False},
        },
        expect=("trim", 1),
    ),
)
READS = ("slidingWindow", "pins")


class SlidingWindow(Plain):
    """Engages at every call with more than `keep_recent` turns; files a record also where nothing could leave."""

    name = TEXT.name
    reads = READS
    needs_time = True
    anonymous = True
    settles = False
    known_faults = ("call-split", "notice-lost", "current-request-lost")

    def __init__(self, settings: Settings) -> None:
        keep = settings.sliding_window.keep_recent_turns
        require(self.name, "slidingWindow", {"keepRecentTurns": keep})
        self.keep_recent = keep or 0
        self.guards = reference_guards(settings.pins)
        self.pin_limit = pin_limit(settings.pins)

    def plan(self, visit: Visit) -> Plan:
        """Plan one removal, take it out by the notice ladder, and file the record."""
        view = visit.view
        turns, messages, units = view.turn_count, view.message_count, view.units
        if turns <= self.keep_recent:
            return None
        removal = visit.gate.plan_removal(self.keep_recent)
        dropped = yield from drop(visit, removal, self.name, RULE)
        record = {
            **base(visit, self.name, dropped.removed, units),
            **observed(removal, dropped.tools, left=dropped.removed is not None),
            "keepRecentTurns": self.keep_recent,
            "turnsBefore": turns,
            "turnsAfter": view.turn_count,
        }
        return Facts(
            ("turns",),
            refusals=dropped.refusals,
            fields=record,
            results=results(visit, dropped.removed, dropped.inserted, messages),
        )


make = SlidingWindow
