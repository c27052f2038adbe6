"""How does a pi session become entries? A tree of records; a compaction is a summary and the tail it kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.branches import abandoned, dangling
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.listed import each_record
from windowkeeper_cli.formats.pi.messages import BRANCH_SUMMARY, entry_of, injected, is_hidden, usage_of
from windowkeeper_cli.formats.pi.tree import Tree
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.item import ASSISTANT

_SILENT = frozenset(("model_change", "thinking_level_change", "custom", "label", "session_info", "ephemeral"))
"""Records that bring the model nothing."""


def read(reading: Reading) -> Draft:
    """Return the entries of the branch that the session's last record stands on."""
    return _Session(Gathering(reading)).draft()


class _Session:
    """Walks the records of one file: `numbers` are the places in the tree by the record's number in the file.

    `places` are the entries' numbers by the place in the tree.
    """

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.numbers: list[int] = []
        self.lines: list[Message] = []
        self.places: dict[int, int] = {}

    def draft(self) -> Draft:
        """Return the draft of the whole session."""
        for line in each_record(self.found.reading.records):
            if isinstance(line.value, dict):
                self.numbers.append(len(self.lines))
                self._sort(line)
            else:
                self.found.unknown(type_name(line.value), line.origin, line.place)
        tree = Tree(self.lines)
        for at in tree.dangling:
            line = self.lines[at]
            self.found.findings.append(dangling(self._where(line), line.origin.line, text_or_none(line.value, "id")))
        for at in tree.path:
            self._take(at, tree)
        for branch in tree.branches():
            self._leave(branch)
        return self.found.draft()

    def _sort(self, line: Message) -> None:
        """Keep a record of the tree; the session line tells of itself alone."""
        if line.value.get("type") != "session":
            self.lines.append(line)
            return
        found, value = self.found, line.value
        found.session = text_or_none(value, "id") or found.session
        found.cwd = found.cwd or text_or_none(value, "cwd")
        version = value.get("version")
        found.version = f"v{version if type(version) is int else 1}"

    def _take(self, at: int, tree: Tree) -> None:
        line, found = self.lines[at], self.found
        kind = type_name(line.value)
        self.places[at] = len(found.entries)
        if kind == "message" and isinstance(line.value.get("message"), dict):
            self._message(line)
        elif kind == "custom_message":
            found.add([injected(line, line.value.get("content"))])
        elif kind == "branch_summary":
            summary = text_or_none(line.value, "summary")
            if summary is not None:
                found.add([injected(line, BRANCH_SUMMARY.format(summary))])
        elif kind == "compaction":
            self._compact(line, tree)
        elif kind not in _SILENT:
            found.unknown(f"{kind} without a message" if kind == "message" else kind, line.origin, line.place)

    def _message(self, line: Message) -> None:
        message = line.value["message"]
        entry = entry_of(line)
        if entry is None:
            self.found.unknown(f"message of the role {message.get('role')}", line.origin, line.place)
        elif not is_hidden(message):
            self.found.add([entry])

    def _compact(self, line: Message, tree: Tree) -> None:
        """Take a compaction: what stands from its first kept record on stayed in the window."""
        found, value = self.found, line.value
        kept = range(self._first_kept(value, tree), len(found.entries))
        summary = text_or_none(value, "summary")
        found.compaction(
            line.origin,
            line.place,
            () if summary is None else (Text(summary),),
            kept,
            trigger="hook" if value.get("fromHook") is True else None,
            pre_tokens=value.get("tokensBefore"),
        )

    def _first_kept(self, value: dict[str, Any], tree: Tree) -> int:
        """Return the number of the first entry that a compaction kept, by its record's id or number in the file."""
        nothing = len(self.found.entries)
        ident = value.get("firstKeptEntryId")
        if isinstance(ident, str):
            return self.places.get(tree.by_id.get(ident, -1), nothing)
        index = value.get("firstKeptEntryIndex")
        if type(index) is not int or not 0 <= index < len(self.numbers):
            return nothing
        return self.places.get(self.numbers[index], nothing)

    def _leave(self, branch: Sequence[int]) -> None:
        """Count a branch that was left, and what its replies cost."""
        found = self.found
        messages = [line for at in branch if isinstance((line := self.lines[at]).value.get("message"), dict)]
        replies = [line.value["message"] for line in messages if line.value["message"].get("role") == ASSISTANT]
        found.left += [usage_of(message) for message in replies]
        if messages:
            line = messages[0]
            ident = text_or_none(line.value, "id")
            found.branches += 1
            found.findings.append(abandoned(self._where(line), line.origin.line, ident, len(messages), len(replies)))

    def _where(self, line: Message) -> str:
        return self.found.reading.where(line.origin, line.place)
