"""What does one message of a pi session hold, as the model was sent it?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import made_call, other, result_content, type_name
from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.formats.fields import figure, text_or_none
from windowkeeper_cli.model.block import Block, Text, Think, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, TOOL, USER, CallRef

BRANCH_SUMMARY = (
    "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n{}</summary>"
)
"""How pi shows a branch that was left to the model (packages/coding-agent/src/core/messages.ts)."""


def entry_of(line: Message) -> Entry | None:
    """Return the entry of a `message` line, None where its role is not known."""
    message = line.value["message"]
    role = message.get("role")
    if role == ASSISTANT:
        return _reply(line, message)
    if role == "toolResult":
        name, ident = message.get("toolName"), message.get("toolCallId")
        result = ToolResult(
            ident if isinstance(ident, str) else "",
            name if isinstance(name, str) and name else None,
            message.get("isError") is True,
            result_content(message.get("content")),
        )
        return _entry(line, TOOL, (result,), TOOL)
    if role == USER:
        return _entry(line, USER, result_content(message.get("content")), PERSON, request=True)
    if role == "bashExecution":
        return _entry(line, USER, (Text(_ran(message)),), HARNESS)
    if role in ("custom", "hookMessage"):
        return injected(line, message.get("content"))
    return None


def injected(line: Message, content: Any) -> Entry:
    """Return the entry of a message that an extension or pi itself put in."""
    return _entry(line, USER, result_content(content), HARNESS)


def is_hidden(message: Any) -> bool:
    """Return whether a command that a person ran was kept from the model."""
    return message.get("role") == "bashExecution" and message.get("excludeFromContext") is True


def usage_of(message: dict[str, Any]) -> Usage | None:
    """Return what was reported for a reply; pi writes zeros where nothing was."""
    reported = message.get("usage")
    if not isinstance(reported, dict):
        return None
    stopped = message.get("stopReason") not in ("aborted", "error")
    read, written = figure(reported, "cacheRead"), figure(reported, "cacheWrite")
    usage = Usage(figure(reported, "input"), figure(reported, "output"), read, written, stopped)
    return usage if usage.prompt or usage.output else None


def _entry(line: Message, role: str, blocks: tuple[Block, ...], author: str, *, request: bool = False) -> Entry:
    time = text_or_none(line.value, "timestamp")
    return Entry(role, blocks, (line.origin,), author, request=request, place=line.place, timestamp=time)


def _reply(line: Message, message: dict[str, Any]) -> Entry:
    content = message.get("content")
    made = [_block(part) for part in content] if isinstance(content, list) else []
    blocks: list[Block] = [block for block, _ in made]
    if isinstance(content, str):
        blocks.append(Text(content))
    refs = tuple(ref for _, ref in made if ref is not None)
    kept = tuple(block for block in blocks if not (refs and isinstance(block, Text) and not block.text))
    ident = text_or_none(message, "responseId") or text_or_none(line.value, "id")
    return _entry(line, ASSISTANT, kept, MODEL)._replace(
        calls=refs,
        call_places=tuple(line.place or line.origin.line for _ in refs),
        reply=Reply(ident, text_or_none(message, "model"), usage_of(message)),
    )


def _block(part: Any) -> tuple[Block, CallRef | None]:
    kind = type_name(part) if isinstance(part, dict) else ""
    if kind == "toolCall":
        return made_call(part.get("id"), part.get("name"), part.get("arguments"))
    if kind == "thinking" and isinstance(part.get("thinking"), str):
        sign = part.get("thinkingSignature")
        return Think(part["thinking"], sign if isinstance(sign, str) else None), None
    if kind == "text" and isinstance(part.get("text"), str):
        return Text(part["text"]), None
    return other(part), None


def _ran(message: dict[str, Any]) -> str:
    """Return a command that a person ran as pi words it for the model (packages/coding-agent/src/core/messages.ts)."""
    output, code = message.get("output"), message.get("exitCode")
    text = f"Ran `{message.get('command') or ''}`\n" + (f"```\n{output}\n```" if output else "(no output)")
    if message.get("cancelled"):
        text += "\n\n(command cancelled)"
    elif code:
        text += f"\n\nCommand exited with code {code}"
    if message.get("truncated") and message.get("fullOutputPath"):
        text += f"\n\n[Output truncated. Full output: {message['fullOutputPath']}]"
    return text
