"""Which call was each request of the session, in which run, and what was the current request then?

A request that comes before a call starts a run there, but for one that comes while the tool calls of the assistant's
latest message still wait for results: that one is part of the run that goes on.
"""

from __future__ import annotations

from windowkeeper_cli.formats.entry import NO_REPLY, Entry
from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.item import ASSISTANT


def request_text(entry: Entry) -> str:
    """Return the text of a message as requests are compared by it."""
    return "\n".join(texts_of(entry.blocks))


def make_calls(
    entries: list[Entry], pairs: dict[tuple[int, str], int], fixed: str | None
) -> tuple[tuple[Call, ...], Call]:
    """Return the recorded calls and the next one; `fixed` is the text of the last run, where the source names it."""
    return _Runs(entries, pairs, fixed).calls()


class _Runs:
    """Walks the entries once; the anchor is the latest request whose text equals the run's, else the latest one."""

    def __init__(self, entries: list[Entry], pairs: dict[tuple[int, str], int], fixed: str | None) -> None:
        self.entries = entries
        self.pairs = pairs
        self.run = self.iteration = 0
        self.text: str | None = None
        self.latest = -1
        self.latest_by_text: dict[str, int] = {}
        self.settled = (-1, -1)
        self.fixed_at = -1
        if fixed is not None:
            self.fixed_at = max(
                (at for at, e in enumerate(entries) if e.request and request_text(e) == fixed), default=-1
            )

    def calls(self) -> tuple[tuple[Call, ...], Call]:
        made: list[Call] = []
        starts, assistant = False, -1
        for at, entry in enumerate(self.entries):
            if entry.role == ASSISTANT:
                made.append(self._call(len(made) + 1, at, entry, starts))
                starts, assistant = False, at
            elif entry.request:
                starts = self._request(at, entry, assistant) or starts
        return tuple(made), self._call(len(made) + 1, len(self.entries), None, starts)

    def _request(self, at: int, entry: Entry, assistant: int) -> bool:
        text = request_text(entry)
        self.latest = at
        self.latest_by_text[text] = at
        if -1 < self.fixed_at < at:
            return False
        if at != self.fixed_at and assistant >= 0 and self._waiting(assistant, at):
            return False
        self.text = text
        return True

    def _waiting(self, assistant: int, at: int) -> bool:
        """Return whether a call of the message at `assistant` is unanswered when item `at` comes."""
        if self.settled[0] != assistant:
            answers = [self.pairs.get((assistant, ref.id), len(self.entries)) for ref in self.entries[assistant].calls]
            self.settled = (assistant, max(answers, default=-1))
        return self.settled[1] > at

    def _call(self, number: int, at: int, entry: Entry | None, starts: bool) -> Call:
        if starts or self.run == 0:
            self.run += 1
            self.iteration = 0
        self.iteration += 1
        anchor = self.latest if self.text is None else self.latest_by_text.get(self.text, self.latest)
        reply = NO_REPLY if entry is None else entry.reply
        time = None if entry is None else entry.timestamp
        return Call(number, at, self.run, self.iteration, anchor, reply.message_id, reply.model, time, reply.usage)
