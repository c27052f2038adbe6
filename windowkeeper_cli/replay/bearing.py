"""What bears on a visit besides the window: requests, pairs that stand apart, patterns, holders, the log's times."""

from __future__ import annotations

import re
from collections.abc import Sequence

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.decision import OUT
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import PERSON, SYSTEM
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.settings import Protect, Settings
from windowkeeper_cli.model.transcript import Paused, Transcript
from windowkeeper_cli.model.window import WindowView
from windowkeeper_cli.rules.holders import Holders


class Bearing:
    """Grows with the items taken in; costs each of them once."""

    def __init__(self, transcript: Transcript, settings: Settings, protect: Protect) -> None:
        self._transcript = transcript
        self._settings = settings
        self._protect = protect
        self._patterns = tuple(re.compile(pattern) for pattern in protect.patterns)
        self._matched: dict[int, bool] = {}
        self._requests: list[int] = []
        self._links: dict[int, list[int]] = {}
        self._holders: Holders | None = None
        self._events: dict[int, list[Event]] = {}
        for event in transcript.events:
            self._events.setdefault(event.call, []).append(event)

    def take_in(self, new: range) -> None:
        """Note the requests among new items, and pairs whose call and result stand in different turns."""
        items = self._transcript.items
        for at in new:
            item = items[at]
            if item.request:
                self._requests.append(at)
            answers = item.answers
            if answers >= 0 and items[answers].turn != item.turn:
                calling = items[answers].turn
                self._links.setdefault(item.turn, []).append(calling)
                self._links.setdefault(calling, []).append(item.turn)

    def case(self, view: WindowView) -> Case:
        """Return the case of a session, not yet put before any visit."""
        return Case(
            view=view,
            requests=self._requests,
            links=self._links,
            pairs=self._transcript.pairs,
            protect=self._protect,
            tool_results=self._settings.tool_results,
            matches=self._matches,
            text=self.text,
        )

    def paused(self, call: Call) -> Paused | None:
        """Return the tool call that a run waits on at a call, as the transcript knows it."""
        return self._transcript.paused if call.number == self._transcript.next_call.number else None

    def text(self, at: int) -> str:
        """Return the texts of an item as one."""
        return "".join(texts_of(self._transcript.blocks(at)))

    def asked_for(self, at: int) -> Sequence[str]:
        """Return the names in the request at a position; the index is made on first use."""
        return self._index().asked_for(at)

    def of(self, identifier: str, before: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return who names and who mentions what the request at `before` names, before it."""
        return self._index().of(identifier, before)

    def _index(self) -> Holders:
        if self._holders is None:
            transcript = self._transcript
            self._holders = Holders(transcript.items, transcript.source.blocks, transcript.pairs)
        return self._holders

    def events(self, call: Call) -> tuple[Event, ...]:
        """Return the recorded removals that took effect at a call."""
        found = self._events.get(call.number)
        return () if found is None else tuple(found)

    def now(self, call: Call) -> float | None:
        """Return the log's time of a call in milliseconds; for the next call its newest item's."""
        timestamp = call.time
        if timestamp is None and call.number == self._transcript.next_call.number and call.at:
            timestamp = self._transcript.items[call.at - 1].timestamp
        found = seconds(timestamp)
        return None if found is None else round(found * 1000)

    def pause(self, call: Call) -> float | None:
        """Return seconds from the last reply to this request: the newest time among its new items less the reply's."""
        if not 2 <= call.number <= len(self._transcript.calls) + 1:
            return None
        items, reply = self._transcript.items, self._transcript.calls[call.number - 2].at
        times = (seconds(items[at].timestamp) for at in range(call.at - 1, reply, -1))
        sent, replied = next((time for time in times if time is not None), None), seconds(items[reply].timestamp)
        return None if sent is None or replied is None else sent - replied

    def anchor(self, view: WindowView, anchor: int) -> int:
        """Return the current request; where it has left, the latest request in the window stands for it."""
        if anchor < 0 or view.form(anchor) is not OUT:
            return anchor
        text = texts_of(self._transcript.blocks(anchor))
        standing = [at for at in reversed(self._requests) if view.form(at) is not OUT]
        return next(
            (at for at in standing if texts_of(self._transcript.blocks(at)) == text), standing[0] if standing else -1
        )

    def _matches(self, at: int) -> bool:
        if not self._patterns:
            return False
        if at not in self._matched:
            item = self._transcript.items[at]
            readable = item.role == SYSTEM or item.authored_by == PERSON
            texts = texts_of(self._transcript.blocks(at)) if readable else ()
            self._matched[at] = any(pattern.search(text) for pattern in self._patterns for text in texts)
        return self._matched[at]
