"""Re-read: was a tool asked again for what it had already given, after that had left?"""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.gaps.at_call import AtCall
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.seen_before import Again

TEXT = RuleText(
    name="re-read",
    kind="gap kind",
    what="A tool was asked again for content that earlier results had given, and all of these had left the window.",
    why="The same content came twice: it was needed. Exact where all arguments are the same. No gap is a first look, "
    "a result that differs (the file had changed) or holds under 100 tokens, and a command run again after an edit.",
)
ASKED = False


class ReRead:
    """Compares results only where one of the earlier ones has left."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def at_call(self, now: AtCall) -> Iterator[Gap]:
        """Yield a gap for each tool call that asked again for what its call no longer had."""
        for again in self._index.again.get(now.call.number, ()):
            if all(now.in_full(use.answer) for use in again.earlier):
                continue
            seen = self._index.seen(again)
            if seen is None or any(self._stands(now, again, at) for at in seen.holders):
                continue
            named_in = (at for name in again.names for at in self._index.postings.of(name).newest(again.use.at))
            yield now.gap(
                TEXT.name,
                again.use.resource or "",
                again.use.by,
                seen.holders[0],
                exact=seen.exact,
                names=again.names,
                named_in=named_in,
            )

    def _stands(self, now: AtCall, again: Again, at: int) -> bool:
        """Return whether what was asked for again stands in the window, in full or in what is left of a cut result."""
        if now.in_full(at):
            return True
        return now.is_cut(at) and self._index.shows(again, now.texts(at))


finder = ReRead
