"""What the case runner works with: a case, what was loaded of it, and how values are compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from windowkeeper_cli.model.block import Block, Text, ToolResult
from windowkeeper_cli.model.item import PERSON, Item
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.report.info import info_facts

Failure = str


def camel(name: str) -> str:
    """Return a snake-case name as JSON keys have it."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def shown(text: str) -> str:
    """Return a text as it is written out: half of a surrogate pair is U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


@dataclass
class Case:
    """One case: its folder, its line, and what came of it."""

    folder: Path
    line: dict[str, Any]
    failures: list[Failure] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """Return the case's file."""
        return self.folder / str(self.line["file"])

    @property
    def also(self) -> list[Path]:
        """Return the further files of the case."""
        return [self.folder / name for name in self.line.get("also", ())]


@dataclass
class Seen:
    """A loaded transcript, and the figures that checks ask for."""

    transcript: Transcript
    paths: list[Path]

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Return the figures of the command `info`."""
        return info_facts(self.transcript)

    @property
    def results(self) -> list[tuple[Item, ToolResult]]:
        """Return the tool results in order."""
        pairs = ((item, self.transcript.blocks(item.at)) for item in self.transcript.items if item.is_result)
        return [(item, blocks[0]) for item, blocks in pairs if isinstance(blocks[0], ToolResult)]

    @property
    def prompts(self) -> list[Item]:
        """Return the messages that a person typed."""
        return [item for item in self.transcript.items if item.request and item.authored_by == PERSON]

    def first_text(self, at: int) -> str:
        """Return the texts of an item, joined."""
        parts: list[str] = []
        for block in self.transcript.blocks(at):
            if isinstance(block, Text):
                parts.append(block.text)
            elif isinstance(block, ToolResult):
                parts.extend(part.text for part in block.content if isinstance(part, Text))
        return "".join(parts)

    def blocks(self) -> list[Block]:
        """Return all blocks in order."""
        return [block for item in self.transcript.items for block in self.transcript.blocks(item.at)]

    def times(self) -> list[str]:
        """Return the items' times in order."""
        return [item.timestamp for item in self.transcript.items if item.timestamp]


def equal(found: Any, expected: Any) -> str | None:
    """Return what differs, None where nothing does."""
    return None if found == expected else f"expected {expected!r}, found {found!r}"


def subset(found: dict[str, Any], expected: dict[str, Any], rename: Callable[[str], str] = str) -> str | None:
    """Return what differs among the keys that are expected."""
    for key, value in expected.items():
        problem = equal(found.get(rename(key)), value)
        if problem:
            return f"{key}: {problem}"
    return None
