"""Unsourced: did the model use a hash, an id or a host that nothing before had?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.gaps.at_call import AtCall
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.tool_use import WRITE
from windowkeeper_cli.rules.identifiers import Identifier

TEXT = RuleText(
    name="unsourced",
    kind="gap kind",
    what="A tool's arguments used a hash, an id or a host that occurs nowhere before.",
    why="It was made up, or came from a part of the window that the log does not hold. Looked for only when asked for.",
)
ASKED = True
_POINTS = re.compile(
    r"(?=[A-Fa-f]*[0-9])(?=[0-9]*[A-Fa-f])[0-9A-Fa-f]{7,64}"
    r"|[A-Za-z][A-Za-z0-9+.-]{1,15}://.+"
    r"|(?=(?:[^0-9]*[0-9]){4})[A-Za-z0-9#][A-Za-z0-9_:#-]{7,}"
)
"""A hash with both digits and letters, a URL, an id of eight or more characters with four digits."""


class Unsourced:
    """Has no sources to look for in the window: the answer is the same under every policy."""

    def __init__(self, index: Index) -> None:
        self._found: dict[int, list[tuple[str, int]]] = {}
        for use, names in index.named:
            for one in names:
                if use.family != WRITE and _POINTS.fullmatch(one.name) and not is_known(index, one, use.at):
                    self._found.setdefault(use.call, []).append((one.name, use.by))

    def at_call(self, now: AtCall) -> Iterator[Gap]:
        """Yield a gap for each such name that the call used."""
        for name, by in self._found.get(now.call.number, ()):
            yield now.gap(TEXT.name, name, by, None)


def is_known(index: Index, one: Identifier, before: int) -> bool:
    """Return whether anything before a position has the name, the model's own words included."""
    return bool(index.postings.of(one).everywhere(before))


finder = Unsourced
