"""Which items did each recorded summary take the place of?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple

COMPACTION, WINDOW = "compaction", "window"


class Span(NamedTuple):
    """What a readable summary replaced: the items that left with it, and the earlier summary that stood before them.

    What had left or been cleared before is not in it. `end` is where the next compaction stands, or past the end.
    """

    event: Event
    items: tuple[int, ...]
    earlier: str
    summary: str
    end: int


def spans_of(transcript: Transcript) -> Iterator[Span]:
    """Yield the span of every recorded summary that the log shows, in order."""
    begin, kept, earlier = transcript.envelope, frozenset[int](), ""
    gone: set[int] = set()
    ends = deque([event.at for event in transcript.events if event.kind == COMPACTION][1:])
    for event in transcript.events:
        if event.kind == COMPACTION:
            end = ends.popleft() if ends else len(transcript.items)
            stood = (*sorted(kept), *range(begin, event.at))
            kept, begin = frozenset(at for at in event.kept if at not in gone), event.at
            summary = "\n".join(texts_of(event.summary))
            if summary:
                items = tuple(at for at in dict.fromkeys(stood) if at not in kept and at not in gone)
                yield Span(event, items, earlier, summary, end)
            earlier = summary
        elif event.kind == WINDOW:
            gone.update(event.left)
            gone.difference_update(event.back)
        else:
            gone.update(event.cleared)


def unreadable(transcript: Transcript) -> int:
    """Return how many recorded compactions show no summary: what replaced their span is encrypted or not in the log."""
    return sum(event.kind == COMPACTION and not any(texts_of(event.summary)) for event in transcript.events)
