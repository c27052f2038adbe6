"""How a report names an item: its place, id, turn, what it is, and its arguments or first line in brief."""

from __future__ import annotations

from windowkeeper_cli.model.block import Think, ToolCall, texts_of
from windowkeeper_cli.model.brief import arguments, first_line, one_line
from windowkeeper_cli.report.subject import Subject

RESULT, MESSAGE = "result", "message"
ABOUT_CHARS = 60
"""Characters of what a row for people is about."""


def reference(subject: Subject, at: int | None) -> dict[str, object]:
    """Return the keys of REF for the item at `at`; all null where there is none (a text of ours)."""
    if at is None:
        return dict.fromkeys(("at", "item", "turn", "what", "tool", "brief", "tokens", "class"))
    item = subject.transcript.items[at]
    return {
        "at": at,
        "item": item.id,
        "turn": item.turn,
        "what": RESULT if item.is_result else MESSAGE,
        "tool": item.tool_name,
        "brief": brief(subject, at),
        "tokens": subject.tokens(at),
        "class": item.retention,
    }


def brief(subject: Subject, at: int) -> str:
    """Return a result's call arguments, a message's first line or the tools that it calls, on one line."""
    transcript = subject.transcript
    item = transcript.items[at]
    if not item.is_result:
        return _message(subject, at)
    if item.resource is not None:
        return one_line(item.resource)
    if item.answers >= 0:
        for block in transcript.blocks(item.answers):
            if isinstance(block, ToolCall) and block.id == item.tool_call_id:
                return arguments(block.args)
    return ""


def about(subject: Subject, at: int) -> str:
    """Return what an item is, for people: a result's tool and resource, a message's role and first words."""
    item = subject.transcript.items[at]
    what = brief(subject, at)
    if not item.is_result:
        return one_line(f"{item.role}: {what}" if what else item.role, ABOUT_CHARS)
    name = one_line(item.tool_name or "result", ABOUT_CHARS // 2)
    room = ABOUT_CHARS - len(name) - 1
    path = item.resource or ""
    if "/" in path and " " not in path and len(path) > room:
        return f"{name} …{one_line(path[1 - room :], room - 1)}"
    return one_line(f"{name} {what}", ABOUT_CHARS)


def _message(subject: Subject, at: int) -> str:
    blocks = subject.transcript.blocks(at)
    for text in texts_of(blocks):
        if line := first_line(text):
            return line
    calls = subject.transcript.items[at].calls
    if calls:
        names = ", ".join(dict.fromkeys(call.name for call in calls))
        return one_line(f"calls {names}")
    return "thinking" if any(isinstance(block, Think) for block in blocks) else ""
