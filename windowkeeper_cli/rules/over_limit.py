"""Over the limit: a window that cannot be brought under it is sent as it is, and what holds it is named."""

from __future__ import annotations

from heapq import nlargest

from windowkeeper_cli.model.decision import OUT, Decision, Refusal
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.visit import Moves, Visit

ENVELOPE = "system-envelope"
STAND_INS = "stand-ins"
TRIM = "trim.enabled"
LARGEST = 5

TEXT = RuleText(
    name="budget.max",
    kind="rule",
    what="A window still over max - reserve after a re-plan is sent as it is, with what holds it, by rule.",
    why="Cutting what is protected would change the task; the honest way out is to say what needs a larger budget.",
    key="budget.max",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1, "log line " * 400)),
        policy=tight(toolResults={"truncateRecent": False}),
        expect=("over-limit", 2),
    ),
)

Holds = tuple[tuple[str, int], ...]


def what_holds(visit: Visit) -> Holds:
    """Return the tokens of the window by what keeps them there: a guard, the envelope, stand-ins, or no trim."""
    sums: dict[str, int] = {}
    turns = 0
    for verdict in visit.gate.verdicts():
        name = verdict.reason if isinstance(verdict, Refusal) else TRIM
        sums[name] = sums.get(name, 0) + verdict.tokens
        turns += verdict.tokens
    stand_ins = sum(insert.tokens for insert in visit.view.inserted())
    envelope = visit.view.tokens - turns - stand_ins
    for name, tokens in ((ENVELOPE, envelope), (STAND_INS, stand_ins)):
        if tokens:
            sums[name] = sums.get(name, 0) + tokens
    return tuple(sorted(sums.items(), key=lambda pair: (-pair[1], pair[0])))


class OverLimit:
    """Speaks once for each stretch of calls over the limit, and again when the rules that hold the window change."""

    def __init__(self) -> None:
        self._rules: frozenset[str] | None = None

    def end_stretch(self) -> None:
        """Note a call that is not over the limit."""
        self._rules = None

    def step(self, now: Pass, holds: Holds | None) -> Moves:
        """Say what holds the window, if it is over the limit and that is news; None: nothing was planned now."""
        if not now.over_limit:
            self.end_stretch()
            return
        if holds is None:
            return
        rules = frozenset(name for name, _ in holds)
        if rules == self._rules:
            return
        self._rules = rules
        yield _decision(now, holds)


def _decision(now: Pass, holds: Holds) -> Decision:
    visit, view = now.visit, now.visit.view
    inside = (at for at in _positions(visit) if view.form(at) is not OUT)
    largest = nlargest(LARGEST, inside, key=lambda at: (view.size(at), -at))
    first = largest[0] if largest else 0
    by_rule = ", ".join(f"{name} {tokens:,}" for name, tokens in holds)
    detail = f"{view.tokens:,} tokens, {view.tokens - now.limit:,} over the limit; held by {by_rule}"
    return Decision(
        "over-limit",
        TEXT.name,
        first,
        view.form(first),
        view.size(first),
        visit.item(first).units,
        detail=detail,
        holds=holds,
        largest=tuple(visit.item(at).id for at in largest),
    )


def _positions(visit: Visit) -> list[int]:
    view = visit.view
    found: list[int] = []
    turn = view.oldest()
    while turn is not None:
        found.extend(view.turn_items(turn))
        turn = view.after(turn)
    return found
