"""Handles: a large result enters as an excerpt with its id, and never changes again."""

from __future__ import annotations

from windowkeeper_cli.model.block import Text, ToolResult, units_in
from windowkeeper_cli.model.decision import TRUNCATED, Cut, Decision
from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.cut import boundary
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain

RULE = "handles.overTokens"
TEXT = RuleText(
    name="handles",
    kind="strategy",
    what="A result over overTokens enters as an excerpt that names its size and id; it never changes again.",
    why="Bulk that never entered the window need not leave it, and the cache never breaks.",
    key=RULE,
    source="an article on what to forget; frameworks that offload large results",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1, "log line " * 600)),
        policy={"strategy": "handles"},
        expect=("truncate", 2),
    ),
)
READS = ("handles",)


class Handles(Plain):
    """Acts on results as they enter, and on nothing else."""

    name = TEXT.name
    reads = READS

    def __init__(self, settings: Settings) -> None:
        self._own = settings.handles

    def plan(self, visit: Visit) -> Plan:
        """Let each new result over the size enter as an excerpt, where that is smaller."""
        acted = False
        for at in visit.new:
            item = visit.item(at)
            if not item.is_result or visit.view.full_size(at) <= self._own.over_tokens:
                continue
            if self._own.tools and item.tool_name not in self._own.tools:
                continue
            move = self._excerpt(visit, at)
            if move is not None and visit.gate.may_move(at) is None:
                acted = True
                yield move
        return Facts(("results",)) if acted else None

    def _excerpt(self, visit: Visit, at: int) -> Decision | None:
        item, blocks, size = visit.item(at), visit.blocks(at), visit.view.full_size(at)
        content = next((block.content for block in blocks if isinstance(block, ToolResult)), ())
        index = next((n for n, part in enumerate(content) if isinstance(part, Text)), None)
        if index is None:
            return None
        text, last = content[index].text, len(content) - 1  # type: ignore[union-attr]
        start = boundary(text, min(self._own.excerpt_chars, len(text)), forward=False)
        end = len(text) if last == index else 0
        cut: Cut = (index, start, end) if last == index else (index, start, last, _length(content[last]))
        marker = f'\n[excerpt of {size:,} tokens; recall("{item.id}") returns the whole]'
        standing = blocks_in_form(blocks, TRUNCATED, marker, cut)
        tokens = visit.counter.blocks(standing)
        if tokens >= size:
            return None
        detail = f"entered as an excerpt of {start:,} characters"
        return Decision(
            "truncate", RULE, at, TRUNCATED, tokens, units_in(standing), text=marker, cut=cut, detail=detail
        )


def _length(part: object) -> int:
    return len(part.text) if isinstance(part, Text) else 0


make = Handles
