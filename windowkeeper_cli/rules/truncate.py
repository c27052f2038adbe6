"""Truncate: long tool results keep their head and their tail."""

from __future__ import annotations

from contextlib import closing

from windowkeeper_cli.model.block import units_in
from windowkeeper_cli.model.decision import FULL, TRUNCATED, Decision
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.candidates import Candidates
from windowkeeper_cli.rules.cut import kept_tokens, truncation
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.visit import Moves

TEXT = RuleText(
    name="toolResults.maxTokensEach",
    kind="rule",
    what="At a re-plan, a tool result over this many tokens keeps its head and its tail, with a marker between.",
    why="One long read is most of a full window, and its two ends mostly say what it was.",
    key="toolResults.maxTokensEach",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2), calls(3), gives(3, "fine")),
        policy=tight(budget={"max": 450, "target": 440}, toolResults={"maxTokensEach": 100}),
        expect=("truncate", 2),
    ),
)


class Truncate:
    """Walks tool results oldest first; what a guard holds is asked again at the next re-plan."""

    def __init__(self) -> None:
        self.candidates = Candidates()

    def step(self, now: Pass, upto: int) -> Moves:
        """Cut the results before position `upto` until the target is met; each stays within the cap, in tokens."""
        view, rules = now.visit.view, now.visit.settings.tool_results
        stop = now.visit.settings.budget.stop_at_target
        if stop and not now.over_target:
            return
        with closing(self.candidates.due(upto)) as due:
            for at in due:
                if not now.visit.item(at).is_result or view.full_size(at) <= rules.max_tokens_each:
                    continue
                if view.form(at) is not FULL:
                    continue
                if now.refused(now.visit.gate.may_move(at)):
                    self.candidates.hold(at)
                    continue
                move = cut_decision(now, at, TEXT.name)
                if move is not None:
                    yield move
                if stop and not now.over_target:
                    break


def cut_decision(now: Pass, at: int, rule: str) -> Decision | None:
    """Return the truncation of one result under `rule`, or `not-smaller` once, where no cut helps."""
    visit = now.visit
    item, blocks, tokens = visit.item(at), visit.blocks(at), visit.view.full_size(at)
    rules = visit.settings.tool_results
    found = truncation(blocks, item.id, tokens, rules, visit.counter)
    if found is None or found[2] >= tokens:
        return now.not_smaller(at, rule, f"no cut brings it under {rules.max_tokens_each:,} tokens")
    cut, marker, left = found
    head, tail = kept_tokens(blocks, cut, visit.counter)
    units = units_in(blocks_in_form(blocks, TRUNCATED, marker, cut))
    detail = f"kept head {head:,} + tail {tail:,}"
    return Decision("truncate", rule, at, TRUNCATED, left, units, text=marker, cut=cut, detail=detail)
