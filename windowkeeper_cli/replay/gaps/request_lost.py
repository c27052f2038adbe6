"""Request-lost: is the current request in the window in full?"""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.model.brief import first_line
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.gaps.at_call import AtCall
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.index import Index

TEXT = RuleText(
    name="request-lost",
    kind="gap kind",
    what="The current request is not in the window in full; one gap for each stretch of calls.",
    why="A model that no longer sees what it was asked works on what it remembers of it.",
)
ASKED = False


class RequestLost:
    """Answers at the first call of each stretch without the same current request."""

    def __init__(self, index: Index) -> None:
        self._transcript = index.transcript
        self._lost = -1

    def at_call(self, now: AtCall) -> Iterable[Gap]:
        """Return the gap where a stretch begins."""
        anchor = now.call.anchor
        lost = anchor if anchor >= 0 and not now.in_full(anchor) else -1
        begins, self._lost = lost >= 0 and lost != self._lost, lost
        if not begins:
            return ()
        texts = (text for text in now.texts(anchor) if text.strip())
        return (now.gap(TEXT.name, first_line(next(texts, "")), None, anchor),)


finder = RequestLost
