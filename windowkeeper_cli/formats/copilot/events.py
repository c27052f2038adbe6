"""What does one event of a Copilot CLI session hold, as the model was sent it?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import made_call, result_content
from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.formats.fields import figure, text_or_none
from windowkeeper_cli.model.block import Block, Text, Think, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, SYSTEM, TOOL, USER, CallRef


def entry_of(event: Message) -> Entry | None:
    """Return the entry of an event that the model was shown or answered with, None for any other."""
    kind, data = event.value["type"], event.value["data"]
    if kind == "assistant.message":
        return _reply(event, data)
    if kind == "tool.execution_complete":
        return _entry(event, TOOL, (_result(data),), TOOL)
    if kind == "user.message":
        # What is sent has the date and reminders around what was typed.
        text = text_or_none(data, "transformedContent")
        typed = data.get("source") in (None, "", "user")
        content = result_content(data.get("content") if text is None else text)
        return _entry(event, USER, content, PERSON if typed else HARNESS)._replace(request=typed)
    if kind == "system.message":
        return _entry(event, SYSTEM, result_content(data.get("content")), HARNESS)
    if kind == "system.notification":
        return _entry(event, USER, result_content(data.get("content")), HARNESS)
    return None


def usage_of(data: dict[str, Any]) -> Usage | None:
    """Return the tokens that a usage record reports; its input counts the cached ones."""
    prompt, output = figure(data, "inputTokens"), figure(data, "outputTokens")
    read, written = figure(data, "cacheReadTokens"), figure(data, "cacheWriteTokens")
    return Usage(max(0, prompt - read - written), output, read, written) if prompt or output else None


def metrics_of(data: dict[str, Any]) -> list[tuple[int, Usage]]:
    """Return the requests and the tokens of every model, as the end of a session tells them."""
    found: list[tuple[int, Usage]] = []
    models = data.get("modelMetrics")
    for model in models.values() if isinstance(models, dict) else ():
        model = model if isinstance(model, dict) else {}
        reported, requests = model.get("usage"), model.get("requests")
        usage = usage_of(reported) if isinstance(reported, dict) else None
        if usage is not None:
            found.append((figure(requests, "count") if isinstance(requests, dict) else 0, usage))
    return found


def _entry(event: Message, role: str, blocks: tuple[Block, ...], author: str) -> Entry:
    time = text_or_none(event.value, "timestamp")
    return Entry(role, blocks, (event.origin,), author, place=event.place, timestamp=time)


def _reply(event: Message, data: dict[str, Any]) -> Entry:
    blocks: list[Block] = []
    thought, sealed = data.get("reasoningText"), text_or_none(data, "reasoningOpaque")
    if isinstance(thought, str) or sealed is not None:
        blocks.append(Think(thought if isinstance(thought, str) else "", sealed))
    asked = data.get("toolRequests")
    calls = [
        made_call(one.get("toolCallId"), one.get("name"), one.get("arguments"))
        for one in (asked if isinstance(asked, list) else ())
        if isinstance(one, dict)
    ]
    refs: tuple[CallRef, ...] = tuple(ref for _, ref in calls)
    said = result_content(data.get("content"))
    blocks += [text for text in said if not (isinstance(text, Text) and not text.text)]
    blocks += [call for call, _ in calls]
    ident = text_or_none(data, "apiCallId") or text_or_none(data, "messageId")
    return _entry(event, ASSISTANT, tuple(blocks), MODEL)._replace(
        calls=refs,
        call_places=tuple(event.place or event.origin.line for _ in refs),
        reply=Reply(ident, text_or_none(data, "model"), None),
    )


def _result(data: dict[str, Any]) -> ToolResult:
    """Return what a tool gave back: its short form, which is the one that is sent, or what went wrong."""
    result, error = data.get("result"), data.get("error")
    failed = data.get("success") is False
    content: Any = result.get("content") if isinstance(result, dict) else result
    if content is None and error is not None:
        content = error.get("message") if isinstance(error, dict) else error
    return ToolResult(
        text_or_none(data, "toolCallId") or "", text_or_none(data, "toolName"), failed, result_content(content)
    )
