"""Identifier: did a tool's arguments use a name whose every source had left?"""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.needs import Need, Needs
from windowkeeper_cli.replay.gaps.sourced import CONTENT, NAME, need_of
from windowkeeper_cli.replay.gaps.sourced import TEXT as QUOTED
from windowkeeper_cli.replay.gaps.tool_use import EDIT, ToolUse
from windowkeeper_cli.rules.identifiers import Identifier

TEXT = RuleText(
    name="identifier",
    kind="gap kind",
    what="A tool's arguments used a path, id, hash or number, and every item that had given it had left the window.",
    why="The model worked with a name that it could not see. No gap is a name that the model had first, that is well "
    "known or a folder's, that any item or text in the window still has, or that stands in what the model composed.",
)
ASKED = False


def needs(index: Index) -> Iterator[Need]:
    """Yield what the tool calls of a transcript need for the identifiers in their arguments."""
    for use, names in index.named:
        for one in names:
            need = need_of(index, one, use.call, use.at, use.by, what_of(use, one))
            if need is not None:
                yield need


def what_of(use: ToolUse, one: Identifier) -> str:
    """Return what a tool call needs of a name: an edit the content of its file, and around what it quotes."""
    if use.family != EDIT:
        return NAME
    return CONTENT if use.is_on(one) else QUOTED


def finder(index: Index) -> Needs:
    """Return what finds these gaps under one policy."""
    return Needs(TEXT.name, index.needs(TEXT.name, needs))
