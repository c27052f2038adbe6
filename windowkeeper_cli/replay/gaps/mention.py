"""Mention: did a person's new request name something whose every source had left?"""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.needs import Need, Needs
from windowkeeper_cli.replay.gaps.sourced import CONTENT, need_of
from windowkeeper_cli.replay.gaps.sourced import TEXT as QUOTED

TEXT = RuleText(
    name="mention",
    kind="gap kind",
    what="A person's new request named something, and every item that had given it had left the window.",
    why="The person pointed at content that the model could not see. Requests over 2,000 characters name nothing, and "
    "a path that was only listed gave no content.",
)
ASKED = False


def needs(index: Index) -> Iterator[Need]:
    """Yield what each run's first call needs for the identifiers in its request."""
    for call, request, names in index.requested:
        before = index.transcript.all_calls()[call - 1].at
        for one in names:
            need = need_of(index, one, call, before, request, CONTENT if one.is_path else QUOTED, request)
            if need is not None:
                yield need


def finder(index: Index) -> Needs:
    """Return what finds these gaps under one policy."""
    return Needs(TEXT.name, index.needs(TEXT.name, needs))
