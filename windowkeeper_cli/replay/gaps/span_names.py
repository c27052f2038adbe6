"""Which identifiers did the items of a span name, and which of them were used afterwards?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from windowkeeper_cli.model.block import Text, texts_of
from windowkeeper_cli.model.item import ASSISTANT, PERSON
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps.appearances import Name, names_of
from windowkeeper_cli.replay.gaps.arguments import is_plain
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.spans import Span
from windowkeeper_cli.rules.holders import request_names
from windowkeeper_cli.rules.identifiers import Identifier, identifiers
from windowkeeper_cli.rules.sought import Sought

Use = tuple[int, int, int]
"""Where something is used: the position of the message or the request, the call, the item that shows the use."""


class Named(NamedTuple):
    """An identifier of a span in all the forms that it has there; `at` is the newest item that gives or names it.

    `at` is None where only an earlier summary in the span names it.
    """

    forms: tuple[Name, ...]
    at: int | None

    @property
    def name(self) -> str:
        """Return its longest form."""
        return max((one.name for one in self.forms), key=len)


class Uses:
    """The uses of every identifier in tool arguments and requests, in order; made once for all spans."""

    def __init__(self, index: Index) -> None:
        self.transcript = index.transcript
        self._by_key: dict[str, list[Use]] = {}
        self._in_order: list[tuple[Use, Name]] = []
        self._called: dict[int, list[Name]] = {}
        for use, names in index.named:
            about = (*identifiers(use.resource or ""), *names)
            self._note(about, (use.at, use.call, use.by))
            self._called.setdefault(use.at, []).extend(name for one in about for name in names_of(one))
        for call, at, names in index.requested:
            self._note(names, (at, call, at))
        for uses in self._by_key.values():
            uses.sort()
        self._in_order.sort(key=lambda pair: pair[0])

    def first(self, key: str, at: int) -> Use | None:
        """Return the first use of an identifier from position `at` on."""
        uses = self._by_key.get(key, [])
        place = bisect_left(uses, (at, 0, 0))
        return uses[place] if place < len(uses) else None

    def called_at(self, at: int) -> Sequence[Name]:
        """Return the identifiers that the tool calls of a message use."""
        return self._called.get(at, ())

    def between(self, at: int, end: int) -> Iterable[Name]:
        """Return the identifiers used from position `at` on and before `end`."""
        start = bisect_left(self._in_order, at, key=lambda pair: pair[0][0])
        stop = bisect_left(self._in_order, end, key=lambda pair: pair[0][0])
        return [name for _, name in self._in_order[start:stop]]

    def _note(self, names: Iterable[Identifier], use: Use) -> None:
        for one in names:
            for name in names_of(one):
                self._by_key.setdefault(key_of(name), []).append(use)
                self._in_order.append((use, name))


def named_in(span: Span, uses: Uses) -> Mapping[str, Named]:
    """Return the identifiers of a span: those that a person, the model, a tool call or an earlier summary named, and
    those that its results gave and that were used before the next summary. A file goes by the end of its path.
    """
    found: dict[str, dict[str, Name]] = {}
    newest: dict[str, int | None] = {}

    def take(names: Iterable[Name], at: int | None) -> None:
        for name in names:
            key = key_of(name)
            found.setdefault(key, {}).setdefault(name.name, name)
            newest[key] = at if at is not None else newest.get(key)

    take(_spoken(span.earlier), None)
    for at in span.items:
        take(_names_of_item(uses, at), at)
    for name, at in _given(span, uses, found):
        take((name,), max(at, newest.get(key_of(name)) or 0))
    return _merged({key: Named(tuple(forms.values()), newest[key]) for key, forms in found.items()})


def key_of(name: Name) -> str:
    """Return what tells identifiers apart: of a file the last two segments of its path."""
    return name.one.forms[-1] if name.file is not None else name.name


def _names_of_item(uses: Uses, at: int) -> Iterable[Name]:
    item, blocks = uses.transcript.items[at], uses.transcript.blocks(at)
    if item.role == ASSISTANT:
        yield from uses.called_at(at)
        for block in blocks:
            if isinstance(block, Text):
                yield from _spoken(block.text)
    elif item.authored_by == PERSON:
        yield from (name for one in request_names(blocks) for name in names_of(one))


def _given(span: Span, uses: Uses, named: Container[str]) -> Iterator[tuple[Name, int]]:
    """Yield what results of the span gave and nobody named, where it was used before the next summary."""
    wanted = {name.name: name for name in uses.between(span.event.at, span.end) if key_of(name) not in named}
    sought = Sought(name.one for name in wanted.values())
    for at in reversed(span.items) if wanted else ():
        if uses.transcript.items[at].is_result:
            for one in list(sought.found_in("\n".join(texts_of(uses.transcript.blocks(at))))):
                sought.forget(one)
                yield wanted[one.name], at


def _spoken(text: str) -> Iterable[Name]:
    return (name for one in identifiers(text) if not is_plain(one.name) for name in names_of(one))


def _merged(named: Mapping[str, Named]) -> dict[str, Named]:
    """Return the names with each bare file name counted under the one path of the span that ends with it."""
    paths: dict[str, list[str]] = {}
    for key in named:
        bare = key.rpartition("/")[2]
        if bare != key:
            paths.setdefault(bare, []).append(key)
    merged = dict(named)
    for bare, keys in paths.items():
        if bare in merged and len(keys) == 1:
            one, path = merged.pop(bare), merged[keys[0]]
            places = [at for at in (one.at, path.at) if at is not None]
            merged[keys[0]] = Named((*path.forms, *one.forms), max(places, default=None))
    return merged
