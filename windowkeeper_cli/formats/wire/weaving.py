"""How do true requests become one transcript and its recorded removals?

The transcript takes what each request adds. What a request lacks, or holds in another form, is an event; the
strategy `recorded` makes the true window out of both.
"""

from __future__ import annotations

from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.formats.wire.alignment import Gap, gaps_between
from windowkeeper_cli.formats.wire.conversations import Exchange
from windowkeeper_cli.formats.wire.pool import Pool
from windowkeeper_cli.model.block import Blocks, ToolResult
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import ASSISTANT, TOOL, USER
from windowkeeper_cli.model.payload import item_id, payload
from windowkeeper_cli.model.value import NamedTuple

SUMMARY = -1
"""The position of a summary: it stands in the window and is no item."""


class _Place(NamedTuple):
    """One message in the window: its number as it stands there, and its position in the transcript."""

    number: int
    at: int


class _Change:
    """What one request changes: positions that left, came back or stand in another form, and a summary."""

    def __init__(self) -> None:
        self.left: list[int] = []
        self.back: list[int] = []
        self.shown: dict[int, Blocks] = {}
        self.folded = False
        self.summary: list[int] = []


class Weaving:
    """Takes the exchanges of one conversation in order; `entries` and `events` grow with them."""

    def __init__(self, pool: Pool, names: list[str], system: tuple[int, ...]) -> None:
        self.entries: list[Entry] = [pool.entries[number] for number in system]
        self.events: list[Event] = []
        self._pool = pool
        self._names = names
        self._own: list[int] = list(system)
        self._places: dict[int, list[int]] = {}
        self._window: list[_Place] = []
        self._calls = 0

    def take(self, one: Exchange) -> None:
        """Take the next exchange: what its request adds and lacks, then its reply."""
        folds = reversed(range(len(one.sent))) if self._pool.folds else ()
        start = next((n for n in folds if self._starts_over(one.sent, n)), 0)
        sent = one.sent[start:]
        self._adopt(sent)
        old = [place.number for place in self._window]
        change, window, added = _Change(), list[_Place](), list[int]()
        at = 0
        for gap in gaps_between(old, sent):
            window += self._window[at : gap.start]
            window += self._gap(gap, sent, one, change, added)
            at = gap.end
        window += self._window[at:]
        serverside = start > 0 or any(self._pool.starts_over(number) for number in (*sent[:1], *added))
        self._record(one, change, window, serverside=serverside)
        self._window = window
        for number in added:
            self._append(number, self._pool.entries[number], one)
        if one.reply >= 0:
            reply = Reply(one.id, one.model, one.usage)
            self._append(one.reply, self._pool.entries[one.reply]._replace(reply=reply), one)

    def _starts_over(self, sent: tuple[int, ...], n: int) -> bool:
        """Return whether what stands before a message is not read: a compaction folds more than users' messages."""
        entries = self._pool.entries
        if not self._pool.starts_over(sent[n]):
            return False
        return entries[sent[n]].role == ASSISTANT or any(entries[k].role in (ASSISTANT, TOOL) for k in sent[:n])

    def _append(self, number: int, entry: Entry, one: Exchange) -> None:
        self._window.append(_Place(number, len(self.entries)))
        self._places.setdefault(number, []).append(len(self._own))
        self._own.append(number)
        self.entries.append(entry._replace(timestamp=one.pair.time))
        self._calls += entry.role == ASSISTANT

    def _adopt(self, sent: tuple[int, ...]) -> None:
        """Let the last reply be what this request repeats it as: so it stood in every window after it."""
        if not self._window or self._window[-1].number in sent:
            return
        number, at = self._window[-1]
        loose = self._pool.loose(number)
        again = next((n for n in reversed(sent) if loose is not None and self._pool.loose(n) == loose), None)
        if again is None or at == SUMMARY or any(place.number == again for place in self._window):
            return
        entry, repeated = self.entries[at], self._pool.entries[again]
        self.entries[at] = entry._replace(
            blocks=repeated.blocks, calls=repeated.calls, call_places=repeated.call_places
        )
        self._own[at] = again
        self._places[number].remove(at)
        self._places.setdefault(again, []).append(at)
        self._window[-1] = _Place(again, at)

    def _gap(self, gap: Gap, sent: tuple[int, ...], one: Exchange, change: _Change, added: list[int]) -> list[_Place]:
        """Return what of a gap stands in the window now; what it brings that is new goes to `added`."""
        old, new = self._window[gap.start : gap.end], list(sent[gap.first : gap.last])
        if gap.final and one.folds and new:
            change.folded, change.summary = True, [new.pop(0)]
            added += new
            return [_Place(change.summary[0], SUMMARY)]
        stands: list[_Place] = [] if gap.final else self._returned(new, change)
        stands += self._reformed(old, new, change, final=gap.final)
        gone = [place for place in old if not any(place.at == kept.at for kept in stands)]
        summary = any(place.at == SUMMARY for place in gone)
        if not gap.final and new and gone and not change.folded and self._pool.entries[new[0]].role != TOOL:
            change.folded, change.summary = True, list(new)
            return [*(_Place(number, SUMMARY) for number in new), *stands]
        change.folded = change.folded or summary
        change.left += [place.at for place in gone if place.at != SUMMARY]
        added += new
        return sorted(stands, key=lambda place: place.at)

    def _returned(self, new: list[int], change: _Change) -> list[_Place]:
        """Take out of `new` what had left and is sent again."""
        inside = {place.at for place in self._window}
        found: list[_Place] = []
        for number in list(new):
            at = next((at for at in self._places.get(number, ()) if at not in inside), None)
            if at is not None:
                inside.add(at)
                new.remove(number)
                change.back.append(at)
                found.append(_Place(number, at))
        return found

    def _reformed(self, old: list[_Place], new: list[int], change: _Change, *, final: bool) -> list[_Place]:
        """Take out of `new` what stands for one of the old: a result of the same call, or one message for another."""
        pairs: list[tuple[_Place, int]] = []
        for place in old:
            again = next((number for number in new if self._is_form_of(number, place)), None)
            if again is not None:
                new.remove(again)
                pairs.append((place, again))
        rest = [place for place in old if not any(place is done for done, _ in pairs)]
        if self._are_alike(rest, new, final=final):
            pairs += zip(rest, new, strict=False)
            del new[: len(rest)]
        for place, number in pairs:
            if number == self._own[place.at]:
                change.back.append(place.at)
            else:
                change.shown[place.at] = self._pool.entries[number].blocks
        return [_Place(number, place.at) for place, number in pairs]

    def _are_alike(self, old: list[_Place], new: list[int], *, final: bool) -> bool:
        """Return whether each old message stands reworded: as many in the same roles; at the end, the reply alone."""
        before = [self._pool.entries[place.number].role for place in old]
        after = [self._pool.entries[number].role for number in new]
        if not old or any(place.at == SUMMARY for place in old):
            return False
        return before == after[:1] == [ASSISTANT] if final else before == after

    def _is_form_of(self, number: int, place: _Place) -> bool:
        """Return whether a message is surely another form of the one at `place`: its own, or the same call's result."""
        if place.at != SUMMARY and number == self._own[place.at]:
            return True
        ident = self._call_id(number)
        return ident is not None and ident == self._call_id(place.number)

    def _call_id(self, number: int) -> str | None:
        entry = self._pool.entries[number]
        block = entry.blocks[0] if entry.role == TOOL else None
        return block.id or None if isinstance(block, ToolResult) else None

    def _record(self, one: Exchange, change: _Change, window: list[_Place], *, serverside: bool) -> None:
        """Add the events of one request, a compaction first."""
        stand = sorted(place.at for place in window if place.at != SUMMARY)
        if serverside and change.left and not change.folded:
            first = next((at for at in stand if self._pool.starts_over(self._own[at])), len(self.entries))
            kept = tuple(at for at in stand if at < first)
            self._event(one, "compaction", at=first, trigger="server", pre_tokens=self._before(first), kept=kept)
            change.left = [at for at in change.left if at > first]
        if change.folded:
            blocks = tuple(block for number in change.summary for block in self._pool.entries[number].blocks)
            self._event(
                one,
                "compaction",
                summary=blocks,
                summary_id=item_id(payload(USER, blocks)) if blocks else None,
                summary_line=one.pair.origin.line if blocks else None,
                kept=tuple(stand),
            )
            change.left = []
        if change.left or change.back:
            self._event(one, "window", left=tuple(sorted(change.left)), back=tuple(sorted(change.back)))
        if change.shown:
            cleared = tuple(sorted(change.shown))
            self._event(one, "clear", cleared=cleared, shown=tuple(change.shown[at] for at in cleared))

    def _before(self, at: int) -> int | None:
        usage = self.entries[at].reply.usage if at < len(self.entries) else None
        return None if usage is None else usage.prompt

    def _event(self, one: Exchange, kind: str, *, at: int | None = None, **more: object) -> None:
        origin = one.pair.origin
        where = f"{self._names[origin.file]}:{origin.line if one.pair.place is None else one.pair.place}"
        place = len(self.entries) if at is None else at
        made = Event(kind, place, self._calls + 1, where, origin.line, **more)  # type: ignore[arg-type]
        self.events.append(made)
