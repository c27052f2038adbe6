"""What did each call of a transcript use, and which earlier items were sources of that?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial

from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.gaps.arguments import names_in
from windowkeeper_cli.replay.gaps.file_name import with_file_name
from windowkeeper_cli.replay.gaps.needs import Need
from windowkeeper_cli.replay.gaps.postings import Key, Postings, Wanted, key_of
from windowkeeper_cli.replay.gaps.seen_before import Again, Seen, asked_again, seen_before, shown_by, shows
from windowkeeper_cli.replay.gaps.tool_use import EDIT, ToolUse, tool_uses
from windowkeeper_cli.rules.holders import request_names
from windowkeeper_cli.rules.identifiers import Identifier

LOOKS = 256
"""Results whose lines stay taken apart while they are compared with later ones."""


class Index:
    """What gaps are looked for by, whatever the policy: made on first use, once for all policies of a transcript."""

    def __init__(self, transcript: Transcript, counts: Counts) -> None:
        self.transcript = transcript
        self.counts = counts
        self._needs: dict[str, Mapping[int, Sequence[Need]]] = {}
        self._look = lru_cache(LOOKS)(partial(shown_by, transcript))
        self._seen: dict[tuple[int, str], Seen | None] = {}

    @cached_property
    def uses(self) -> tuple[ToolUse, ...]:
        """The tool calls of all recorded calls, in order."""
        return tuple(tool_uses(self.transcript))

    @cached_property
    def named(self) -> tuple[tuple[ToolUse, tuple[Identifier, ...]], ...]:
        """The tool calls with the identifiers that their arguments use."""
        return tuple(
            (use, tuple(one for one in names_in(use.args, use.family) if not use.looks_at(one.name)))
            for use in self.uses
        )

    @cached_property
    def requested(self) -> tuple[tuple[int, int, tuple[Identifier, ...]], ...]:
        """The first call of each run, its request's position, and the identifiers that this one names."""
        found, begun = [], -1
        for call in self.transcript.all_calls():
            if call.anchor > begun:
                begun = call.anchor
                found.append((call.number, begun, request_names(self.transcript.blocks(begun))))
        return tuple(found)

    @cached_property
    def postings(self) -> Postings:
        """Who holds each identifier that is used, and the file name of each path, before the last use of it."""
        wanted: dict[Key, Wanted] = {}
        for one, before, is_file in self._used_names():
            known = wanted.get(key_of(one))
            is_file = is_file or (known is not None and known.is_file)
            wanted[key_of(one)] = Wanted(one, before, is_file, key_of(one) in self._looked_at)
        return Postings(self.transcript, wanted.values())

    def needs(self, kind: str, make: Callable[[Index], Iterable[Need]]) -> Mapping[int, Sequence[Need]]:
        """Return the needs of a kind by call, made once."""
        found = self._needs.get(kind)
        if found is None:
            by_call: dict[int, list[Need]] = {}
            for need in make(self):
                by_call.setdefault(need.call, []).append(need)
            found = self._needs[kind] = by_call
        return found

    @cached_property
    def again(self) -> Mapping[int, Sequence[Again]]:
        """The tool calls that may be a second look, by call."""
        by_call: dict[int, list[Again]] = {}
        for again in asked_again(self.uses, self.counts):
            by_call.setdefault(again.use.call, []).append(again)
        return by_call

    def shows(self, again: Again, texts: Sequence[str]) -> bool:
        """Return whether texts in a window show what a call asked for again."""
        return shows(again, texts, self._look, self.counts)

    @cached_property
    def _looked_at(self) -> frozenset[Key]:
        agains = (again for several in self.again.values() for again in several)
        return frozenset(key_of(name) for again in agains for name in again.names)

    def seen(self, again: Again) -> Seen | None:
        """Return which earlier results hold what a call asked for again; compared once."""
        key = (again.use.at, again.use.id)
        if key not in self._seen:
            self._seen[key] = seen_before(again, self._look, self.counts)
        return self._seen[key]

    def _used_names(self) -> Iterator[tuple[Identifier, int, bool]]:
        """Yield what is used, the position before which it is looked for, and whether it is a file's, in order."""
        calls = self.transcript.all_calls()
        uses: list[tuple[int, tuple[Identifier, ...], bool]]
        uses = [(use.at, (one,), use.family == EDIT and use.is_on(one)) for use, names in self.named for one in names]
        uses += [(calls[call - 1].at, names, True) for call, _, names in self.requested]
        uses += [(again.use.at, again.names, True) for several in self.again.values() for again in several]
        for before, names, for_content in sorted(uses, key=lambda use: use[0]):
            for one in names:
                for place, name in enumerate(with_file_name(one)):
                    yield name, before, place > 0 or (for_content and name.is_path)
