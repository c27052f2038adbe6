"""What does a recorded summary keep of the span that it replaced, and what does it say that the span never had?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.block import Blocks, Text, Think, ToolCall, texts_of
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps.appearances import Appearances, Name, names_of
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.span_names import Named, Uses, key_of, named_in
from windowkeeper_cli.replay.gaps.span_orders import Kept, kept_orders
from windowkeeper_cli.replay.gaps.spans import Span, spans_of
from windowkeeper_cli.rules.holders import decoded
from windowkeeper_cli.rules.identifiers import identifiers

FRAME = ("read the full transcript at:",)
"""What a harness itself writes beside a summary: from here on, such a line says nothing of the span."""
_PLACEHOLDER = re.compile("<[^<>]{1,60}>")
BEFORE_ALL = -1


class Lost(NamedTuple):
    """An identifier of the span that the summary does not have; `at` is the newest item of the span that has it.

    `used` is the first call after the summary that used it, `used_by` the item that shows that; None: none did.
    """

    name: str
    at: int | None
    used: int | None
    used_by: int | None


class Invented(NamedTuple):
    """An identifier of the summary that stands nowhere before it; `line` is its line of the summary, from 1."""

    name: str
    line: int
    text: str


class Audit(NamedTuple):
    """One recorded summary against its span: `tokens` are those of the span's items, `summary_tokens` its own.

    `identifiers` counts those of the span, `kept` those that the summary has, or an item that stayed verbatim; `lost`
    has those used afterwards first. `invented` are at least those: a name counts as known where each of its parts is.
    """

    event: Event
    items: int
    tokens: int
    summary_tokens: int
    identifiers: int
    kept: int
    lost: tuple[Lost, ...]
    orders: tuple[Kept, ...]
    invented: tuple[Invented, ...]


def audits_of(transcript: Transcript, counts: Counts, index: Index | None = None) -> tuple[Audit, ...]:
    """Return the audit of every recorded summary that the log shows, in order; one pass over the items."""
    spans = tuple(spans_of(transcript))
    if not spans:
        return ()
    uses = Uses(index or Index(transcript, counts))
    said = [tuple(_said_in(span, transcript)) for span in spans]
    before = _appearances(transcript, spans, [name for names in said for name, _, _ in names])
    return tuple(
        _audit(span, transcript, counts, uses, tuple(_invented(names, before, span.event.at)))
        for span, names in zip(spans, said, strict=True)
    )


def _audit(span: Span, transcript: Transcript, counts: Counts, uses: Uses, invented: tuple[Invented, ...]) -> Audit:
    named = named_in(span, uses)
    summary = Appearances(name for one in named.values() for name in one.forms)
    summary.read(span.summary, 0)
    for at in span.event.kept:
        summary.read("\n".join(_everything(transcript.blocks(at))), 0)
    lost = [one for one in named.values() if not any(summary.before(name, 1) for name in one.forms)]
    return Audit(
        event=span.event,
        items=len(span.items),
        tokens=sum(counts.tokens[at] for at in span.items),
        summary_tokens=counts.counter.blocks((Text(span.summary),)),
        identifiers=len(named),
        kept=len(named) - len(lost),
        lost=tuple(sorted((_lost(one, span, uses) for one in lost), key=_by_need)),
        orders=tuple(kept_orders(span, transcript)),
        invented=invented,
    )


def _lost(named: Named, span: Span, uses: Uses) -> Lost:
    later = [use for name in named.forms if (use := uses.first(key_of(name), span.event.at)) is not None]
    _, call, by = min(later, default=(None, None, None))
    return Lost(named.name, named.at, call, by)


def _by_need(lost: Lost) -> tuple[bool, int, int, str]:
    return lost.used is None, lost.used or 0, -(lost.at or 0), lost.name


def _said_in(span: Span, transcript: Transcript) -> Iterator[tuple[Name, int, str]]:
    """Yield the names that a summary says, each once, with its line and that line's text."""
    told: set[str] = set()
    for number, line in enumerate(span.summary.split("\n"), start=1):
        text = _PLACEHOLDER.sub(" ", line)
        for frame in FRAME:
            text = text.partition(frame)[0]
        for one in identifiers(text):
            for name in names_of(one):
                if name.name not in told and not (transcript.session and transcript.session in name.name):
                    told.add(name.name)
                    yield name, number, line


def _appearances(transcript: Transcript, spans: Sequence[Span], names: Sequence[Name]) -> Appearances:
    """Read everything before the last summary: the folder that the session ran in, items, and earlier summaries."""
    found = Appearances(names)
    found.read(f"{transcript.log.cwd or ''}\n{transcript.session or ''}", BEFORE_ALL)
    summaries = {span.event.at: span.summary for span in spans}
    for at in range(spans[-1].event.at):
        found.read("\n".join(_everything(transcript.blocks(at))), at)
        if at in summaries:
            found.read(summaries[at], at)
    return found


def _everything(blocks: Blocks) -> Iterator[str]:
    yield from texts_of(blocks)
    for block in blocks:
        if isinstance(block, Think):
            yield block.text
        elif isinstance(block, ToolCall):
            yield block.name
            yield decoded(block.args)


def _invented(names: Sequence[tuple[Name, int, str]], before: Appearances, at: int) -> Iterator[Invented]:
    """Yield the names that stand nowhere before; what only has such a name for a part says nothing new."""
    told: set[bytes] = set()
    for name, line, text in names:
        if not before.before(name, at) and told.isdisjoint(name.parts):
            told |= name.parts if len(name.parts) == 1 else frozenset()
            yield Invented(name.name, line, text)
