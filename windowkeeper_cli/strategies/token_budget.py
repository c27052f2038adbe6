"""Token budget: the sliding window's drop, triggered by the last reported input."""

from __future__ import annotations

from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.drop import drop
from windowkeeper_cli.strategies.options import require
from windowkeeper_cli.strategies.record import base, observed, pressure, results
from windowkeeper_cli.strategies.reference import pin_limit, reference_guards
from windowkeeper_cli.strategies.strategy import Plain
from windowkeeper_cli.strategies.trigger import over_threshold

RULE = "tokenBudget.thresholdTokens"
TEXT = RuleText(
    name="token-budget",
    kind="strategy",
    what="Drops the oldest run of turns that may leave while the last reported input is over thresholdTokens.",
    why="It loses old turns rather than pay a model to paraphrase them, and counts rather than guesses.",
    key=RULE,
    source="agentfootprint 9.62.0",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2), calls(3), gives(3)),
        policy={
            "strategy": "token-budget",
            "tokenBudget": {"thresholdTokens": 200, "keepRecentTurns": 1},
            "pins": {"keepLastToolResults": False},
        },
        expect=("trim", 1),
    ),
)
READS = ("tokenBudget", "pins")


class TokenBudget(Plain):
    """Engages while the current reading is over the threshold, also where no turn is old enough to leave."""

    name = TEXT.name
    reads = READS
    needs_time = True
    anonymous = True
    settles = False
    known_faults = ("call-split", "notice-lost", "current-request-lost")
    needs_reading = True

    def __init__(self, settings: Settings) -> None:
        own = settings.token_budget
        options = {"thresholdTokens": own.threshold_tokens, "keepRecentTurns": own.keep_recent_turns}
        require(self.name, "tokenBudget", options)
        self.threshold = own.threshold_tokens or 0
        self.keep_recent = own.keep_recent_turns
        self.guards = reference_guards(settings.pins)
        self.pin_limit = pin_limit(settings.pins)

    def plan(self, visit: Visit) -> Plan:
        """Plan one removal where the reading is over the threshold, and file the record."""
        measured = over_threshold(visit, self.threshold)
        if measured is None:
            return None
        messages, units = visit.view.message_count, visit.view.units
        removal = visit.gate.plan_removal(self.keep_recent)
        dropped = yield from drop(visit, removal, self.name, RULE)
        record = {
            **base(visit, self.name, dropped.removed, units),
            **observed(removal, dropped.tools, left=dropped.removed is not None),
            "keepRecentTurns": self.keep_recent,
            "measuredTokens": measured,
            "thresholdTokens": self.threshold,
            "overBudget": True,
        }
        left = results(visit, dropped.removed, dropped.inserted, messages)
        left.update(pressure(self.threshold, measured, "evict" if dropped.removed else "none"))
        return Facts(("tokens",), refusals=dropped.refusals, fields=record, results=left)


make = TokenBudget
