"""Items: the smallest things with an address, one message or one tool result each."""

from __future__ import annotations

from windowkeeper_cli.model.value import NamedTuple

SYSTEM, USER, ASSISTANT, TOOL = "system", "user", "assistant", "tool"
ROLES = (SYSTEM, USER, ASSISTANT, TOOL)
PERSON, HARNESS, MODEL = "person", "harness", "model"

NOTICE_PREFIX = "[dropped history"
SUMMARY_PREFIX = "[compacted history"
"""A user message that begins with one of these was written by a window strategy and is never a request."""


class Origin(NamedTuple):
    """Where a record stands: index into the transcript's files, byte offset, length in bytes, line from 1."""

    file: int
    offset: int
    length: int
    line: int


class CallRef(NamedTuple):
    """One tool call of an assistant message; `resource` is what it is about, where a tool family says so."""

    id: str
    name: str
    resource: str | None


class Item(NamedTuple):
    """One message or one tool result.

    `at` is its position in the transcript and unique; `id` is made from its payload. `turn` is -1 for the leading
    system text. `units` is the UTF-16 length of its text. For a tool result, `answers` is the `at` of the message
    whose call it answers first (-1: an orphan, or a second answer), and `resource` is that call's.
    `request` marks what a person wrote, and the first prompt of a subagent. `expands` is the `at` of the request that
    a harness-authored message spells out (a slash command's text): it shares that request's protection.
    """

    at: int
    id: str
    role: str
    turn: int
    authored_by: str
    request: bool
    units: int
    tool_name: str | None
    tool_call_id: str | None
    resource: str | None
    calls: tuple[CallRef, ...]
    answers: int
    is_error: bool
    pinned: bool
    task: bool
    tags: tuple[str, ...]
    ttl_turns: int | None
    effect: str | None
    stage: str | None
    timestamp: str | None
    origins: tuple[Origin, ...]
    expands: int = -1

    @property
    def is_result(self) -> bool:
        """Return whether the item is a tool result."""
        return self.role == TOOL

    @property
    def retention(self) -> str:
        """Return the item's class, by flags alone: `pin`, `state`, `evict` or `compact`."""
        if self.role == SYSTEM or self.task or self.pinned:
            return "pin"
        if self.effect == "irreversible":
            return "state"
        return "evict" if self.role == TOOL else "compact"
