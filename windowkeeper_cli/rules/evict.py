"""Evict: old tool results become stubs in place; the call stays, and stays paired."""

from __future__ import annotations

from contextlib import closing

from windowkeeper_cli.model.decision import FULL, TRUNCATED
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.rules.candidates import Candidates
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.visit import Moves

TEXT = RuleText(
    name="toolResults.evictAfterTurns",
    kind="rule",
    what="At a re-plan, a tool result older than this many turns becomes a stub that names its id.",
    why="Old results are nearly all of the pressure; a stub keeps that the call happened, and the way back.",
    key="toolResults.evictAfterTurns",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(budget={"target": 290}, toolResults={"evictAfterTurns": 0}),
        expect=("evict", 2),
    ),
)


class Evict:
    """Walks tool results oldest first; what a guard holds is asked again at the next re-plan."""

    def __init__(self) -> None:
        self.candidates = Candidates()

    def step(self, now: Pass, upto: int, newest: int) -> Moves:
        """Move out the results before position `upto` until the target is met; `newest` is the newest turn."""
        view = now.visit.view
        most = now.visit.settings.tool_results.evict_after_turns
        stop = now.visit.settings.budget.stop_at_target
        if stop and not now.over_target:
            return
        with closing(self.candidates.due(upto)) as due:
            for at in due:
                item = now.visit.item(at)
                if not item.is_result or view.form(at) not in (FULL, TRUNCATED):
                    continue
                if now.refused(now.visit.gate.may_move(at)):
                    self.candidates.hold(at)
                    continue
                move = now.stub(at, "evict", TEXT.name, f"age {newest - item.turn} > {most}")
                if move is not None:
                    yield move
                if stop and not now.over_target:
                    break
