"""Which call does each tool result answer, and which results and calls are left alone?

A result answers the nearest preceding call with its id that is not yet answered. Where a format knows no ids, the
tool's name stands for one: that it comes again is no fault.
"""

from __future__ import annotations

from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.model.block import ToolResult
from windowkeeper_cli.model.item import ASSISTANT, TOOL, CallRef
from windowkeeper_cli.model.value import NamedTuple


class Odd(NamedTuple):
    """Something about the pairing of a call or result: a finding's kind, the entry, a sentence, the call's id.

    `call` is the call's index in its message, where the finding is about a call. `other` is the entry, and the call
    in it, that the finding names too.
    """

    kind: str
    at: int
    text: str
    id: str
    call: int = -1
    other: tuple[int, int] | None = None


class _Asked(NamedTuple):
    """A call: its message, its index in it, and what it refers to."""

    at: int
    n: int
    ref: CallRef


class Pairing:
    """The answers by entry, the pairs by call, the tools' names and resources of results, and what is odd."""

    def __init__(self, entries: list[Entry]) -> None:
        self.answers: dict[int, int] = {}
        self.pairs: dict[tuple[int, str], int] = {}
        self.refs: dict[int, CallRef] = {}
        self.odd: list[Odd] = []
        self._open: dict[str, list[_Asked]] = {}
        self._last: dict[str, _Asked] = {}
        self._last_message = -1
        for at, entry in enumerate(entries):
            role = entry.role
            if role == TOOL:
                self._answer(at, entry)
                continue
            self._last_message = at
            if role == ASSISTANT and entry.calls:
                self._ask(at, entry)
        self._leftover()

    def _ask(self, at: int, entry: Entry) -> None:
        for n, ref in enumerate(entry.calls):
            ident = ref.id
            earlier = self._last.get(ident)
            asked = _Asked(at, n, ref)
            if earlier is not None and ident != ref.name:
                text = f"the tool call id {ident} was used before"
                self.odd.append(Odd("duplicate-tool-call-id", at, text, ident, n, (earlier.at, earlier.n)))
            self._last[ident] = asked
            self._open.setdefault(ident, []).append(asked)

    def _answer(self, at: int, entry: Entry) -> None:
        block = entry.blocks[0]
        assert isinstance(block, ToolResult)
        ident = block.id
        waiting = self._open.get(ident)
        if waiting:
            call, n, ref = waiting.pop()
            self.answers[at] = call
            self.pairs.setdefault((call, ident), at)
            self.refs[at] = ref
            if self._last_message != call:
                text = f"the result of {ident} stands in a later turn than its call"
                self.odd.append(Odd("late-tool-result", at, text, ident, -1, (call, n)))
            return
        known = self._last.get(ident)
        if known is None:
            self.odd.append(Odd("orphan-tool-result", at, f"no call with the id {ident} stands before it", ident))
            return
        self.refs[at] = known.ref
        text = f"the call {ident} already has a result; the first one counts"
        self.odd.append(Odd("duplicate-tool-result", at, text, ident, -1, (known.at, known.n)))

    def _leftover(self) -> None:
        """What waits at the last message is pending; what waits before it, the conversation went on without."""
        for ident, waiting in self._open.items():
            for at, n, _ in waiting:
                if at != self._last_message:
                    text = f"the call {ident} has no result, and the conversation went on"
                    self.odd.append(Odd("unanswered-tool-call", at, text, ident, n))
        self.odd.sort(key=lambda odd: (odd.at, odd.call))
