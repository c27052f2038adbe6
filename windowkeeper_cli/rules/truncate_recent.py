"""Truncate recent: the last resort, long results among the newest turns are cut, never moved out."""

from __future__ import annotations

from windowkeeper_cli.model.decision import FULL
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.truncate import cut_decision
from windowkeeper_cli.rules.visit import Moves

TEXT = RuleText(
    name="toolResults.truncateRecent",
    kind="rule",
    what="If a re-plan ends over the limit, results over the cap among the newest turns are cut, largest first.",
    why="One huge read must not sink a run. What an author flagged, or a request names, is not cut even then.",
    key="toolResults.truncateRecent",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1, "log line " * 400)),
        policy=tight(toolResults={"maxTokensEach": 100}),
        expect=("truncate", 2),
    ),
)


def truncate_recent(now: Pass, first: int) -> Moves:
    """Cut the results from position `first` on that exceed the cap, largest first, until the target is met."""
    view, cap = now.visit.view, now.visit.settings.tool_results.max_tokens_each
    large = [
        at
        for at in range(first, view.held)
        if now.visit.item(at).is_result and view.form(at) is FULL and view.size(at) > cap
    ]
    for at in sorted(large, key=lambda at: (-view.size(at), at)):
        if not now.over_target:
            return
        if now.refused(now.visit.gate.may_cut(at)):
            continue
        move = cut_decision(now, at, TEXT.name)
        if move is not None:
            yield move
