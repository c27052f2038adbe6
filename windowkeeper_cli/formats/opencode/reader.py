"""How does an opencode session become entries? Its compactions are a summary and the tail they kept."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.branches import abandoned
from windowkeeper_cli.formats.content import KNOWN_OTHERS, type_name
from windowkeeper_cli.formats.entry import Draft, Entry
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.opencode.steps import KNOWN, Step, parts_of, said, steps_of
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.times import iso_of
from windowkeeper_cli.model.block import Text, ToolResult
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, SYSTEM, USER

CLEARED = "[Old tool result content cleared]"
"""What the model sees of a pruned result (packages/opencode/src/session/message-v2.ts)."""


def read(reading: Reading) -> Draft:
    """Return the entries of the session."""
    return _Session(Gathering(reading, KNOWN_OTHERS | KNOWN)).draft()


class _Session:
    """Walks the messages in order: `places` are the numbers of their first entries by the message's id.

    `pruned` holds the results that were cleared, with the moment in milliseconds; `asked` the messages that asked
    for a summary, by their id.
    """

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.places: dict[str, int] = {}
        self.pruned: list[tuple[int, int]] = []
        self.asked: dict[str, tuple[int, dict[str, Any]]] = {}
        self.reverted: dict[str, Any] = {}

    def draft(self) -> Draft:
        """Return the draft of the whole session."""
        messages = list(self._messages())
        summed = {parent for one in messages if (parent := _summarised(one)) is not None}
        end = self._revert(messages)
        for message in messages[:end]:
            info = message.value["info"]
            ident = text_or_none(info, "id") or ""
            self.places.setdefault(ident, len(self.found.entries))
            if info["role"] == USER:
                self._ask(message, ident, folds=ident in summed)
            else:
                self._answer(message, info)
        self._prune()
        self._leave(messages[end:])
        return self.found.draft()

    def _messages(self) -> Iterator[Message]:
        """Yield the messages of an export, a list or lines; the session's own facts are kept."""
        for value, origin in self.found.reading.records:
            if isinstance(value, dict) and isinstance(value.get("messages"), list):
                self._session(value.get("info"))
                inner = [(one, f"messages[{n}]") for n, one in enumerate(value["messages"])]
            elif isinstance(value, list):
                inner = [(one, f"[{n}]") for n, one in enumerate(value)]
            else:
                inner = [(value, "")]
            for one, place in inner:
                info = one.get("info") if isinstance(one, dict) else None
                if isinstance(info, dict) and info.get("role") in (USER, ASSISTANT):
                    yield Message(one, origin, place or None)
                else:
                    role = info.get("role") if isinstance(info, dict) else None
                    name = f"role {role}" if isinstance(role, str) else type_name(one)
                    self.found.unknown(name, origin, place or None)

    def _session(self, info: Any) -> None:
        if isinstance(info, dict):
            found = self.found
            found.session = text_or_none(info, "id")
            found.version, found.cwd = text_or_none(info, "version"), text_or_none(info, "directory")
            revert = info.get("revert")
            self.reverted = revert if isinstance(revert, dict) else {}

    def _revert(self, messages: list[Message]) -> int:
        """Return how many messages stand before the point that a person went back to."""
        target = self.reverted.get("messageID")
        if not isinstance(target, str):
            return len(messages)
        ids = [message.value["info"].get("id") for message in messages]
        return ids.index(target) if target in ids else len(messages)

    def _ask(self, message: Message, ident: str, *, folds: bool) -> None:
        """Take a user message; one that asked for the summary of a compaction is no item."""
        compaction = next((part for part in parts_of(message) if type_name(part) == "compaction"), None)
        if compaction is not None and folds:
            self.asked[ident] = (len(self.found.entries), compaction)
        else:
            self.found.add(said(message))

    def _answer(self, message: Message, info: dict[str, Any]) -> None:
        if _failed(message, info):
            self.found.synthetic.append(message.origin.line)
            return
        steps = steps_of(message)
        if _summarised(message) is not None:
            self._compact(message, info, steps)
            return
        self._system(message, info)
        for step in steps:
            start = len(self.found.entries)
            self.found.add(step.entries)
            self.pruned += [(start + number, when) for number, when in step.cleared]

    def _system(self, message: Message, info: dict[str, Any]) -> None:
        """Take the system text that old versions write beside each reply, once."""
        texts = info.get("system")
        found = self.found
        if isinstance(texts, list) and not any(entry.role in (SYSTEM, ASSISTANT) for entry in found.entries):
            blocks = tuple(Text(text) for text in texts if isinstance(text, str))
            place = f"{message.place}.info.system" if message.place else None
            found.entries.insert(0, Entry(SYSTEM, blocks, (message.origin,), HARNESS, place=place))
            self.places = {ident: number + 1 for ident, number in self.places.items()}

    def _compact(self, message: Message, info: dict[str, Any], steps: list[Step]) -> None:
        """Take a compaction: the reply is its summary, and what stands from the tail's first message on was kept."""
        found = self.found
        replies = [step.entries[0] for step in steps]
        found.left += [reply.reply.usage for reply in replies]
        blocks = tuple(block for reply in replies for block in reply.blocks if isinstance(block, Text))
        end = len(found.entries)
        asked, part = self.asked.get(str(info.get("parentID")), (end, {}))
        tail = part.get("tail_start_id")
        kept = range(self.places.get(tail, asked) if isinstance(tail, str) else asked, end)
        trigger = None if "auto" not in part else "auto" if part["auto"] is True else "manual"
        found.compaction(message.origin, message.place, blocks, kept, trigger=trigger)

    def _prune(self) -> None:
        """Add the clearings of old results, each before the first call after it."""
        found = self.found
        calls = [at for at, entry in enumerate(found.entries) if entry.role == ASSISTANT]
        times = list(accumulate((found.entries[at].timestamp or "" for at in calls), max))
        by_call: dict[int, list[int]] = {}
        for at, when in self.pruned:
            after = max(bisect_right(calls, at), bisect_left(times, iso_of(when) or ""))
            by_call.setdefault(after, []).append(at)
        for n, cleared in by_call.items():
            first = found.entries[cleared[0]]
            where = found.reading.where(first.origins[0], first.place)
            place = calls[n] if n < len(calls) else len(found.entries)
            shown = tuple((_cleared(found.entries[at]),) for at in cleared)
            line = first.origins[0].line
            found.events.append(
                Event("microcompaction", place, n + 1, where, line, cleared=tuple(cleared), shown=shown)
            )
        found.events.sort(key=lambda event: (event.call, event.at))

    def _leave(self, messages: list[Message]) -> None:
        """Count the messages behind the point that a person went back to."""
        if not messages:
            return
        found, first = self.found, messages[0]
        replies = [
            step.entries[0].reply.usage
            for message in messages
            if message.value["info"]["role"] == ASSISTANT
            for step in steps_of(message)
        ]
        found.left += replies
        found.branches += 1
        where, ident = found.reading.where(first.origin, first.place), text_or_none(first.value["info"], "id")
        found.findings.append(abandoned(where, first.origin.line, ident, len(messages), len(replies)))


def _cleared(entry: Entry) -> ToolResult:
    """Return a pruned result as the model sees it."""
    result = entry.blocks[0]
    assert isinstance(result, ToolResult)
    return result._replace(content=(Text(CLEARED),))


def _summarised(message: Message) -> str | None:
    """Return the id of the message that a reply sums up for, None where the reply is no finished summary."""
    info = message.value["info"]
    time = info.get("time")
    ended = bool(info.get("finish")) or (isinstance(time, dict) and "completed" in time)
    if info["role"] != ASSISTANT or info.get("summary") is not True or info.get("error") or not ended:
        return None
    parent = info.get("parentID")
    return parent if isinstance(parent, str) else ""


def _failed(message: Message, info: dict[str, Any]) -> bool:
    """Return whether a reply failed, and is not sent again; one that was broken off is, with what it holds."""
    error = info.get("error")
    if not error:
        return False
    aborted = isinstance(error, dict) and error.get("name") == "MessageAbortedError"
    return not (aborted and any(type_name(part) not in ("step-start", "reasoning") for part in parts_of(message)))
