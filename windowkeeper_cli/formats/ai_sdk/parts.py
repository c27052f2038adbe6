"""What does one part of an AI SDK message hold? Texts, reasoning, tool calls, what they gave, files, approvals."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.call_text import call_of_text
from windowkeeper_cli.formats.content import other, result_content, type_name
from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.formats.fields import objects_of, text_or_none
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import CallRef

CALL, RESULT, ASKED, ANSWERED = "tool-call", "tool-result", "tool-approval-request", "tool-approval-response"
REASONING, REDACTED = "reasoning", "redacted-reasoning"
OWN_PARTS = frozenset((CALL, RESULT, ASKED, ANSWERED, REDACTED))
"""Parts of a ModelMessage's content that no other format has."""
STEP, INVOCATION, DYNAMIC = "step-start", "tool-invocation", "dynamic-tool"
UI_PARTS = frozenset((STEP, INVOCATION, DYNAMIC, "source-url", "source-document"))
"""Parts of a UIMessage that no other format has."""
UNSENT = frozenset(("source-url", "source-document", "source"))
"""Parts that the SDK shows and never sends to a model; data parts are sent only where a program converts them."""
KNOWN = OWN_PARTS | {"file", "image"}
_TOOL = "tool-"
_NO_TOOLS = OWN_PARTS | {INVOCATION}


def tool_of(part: Any) -> str | None:
    """Return the name of the tool whose part of a UIMessage this is, None where it is none."""
    if not isinstance(part, dict) or not isinstance(part.get("toolCallId"), str):
        return None
    kind = type_name(part)
    if kind == DYNAMIC:
        return text_or_none(part, "toolName") or ""
    return kind.removeprefix(_TOOL) if kind.startswith(_TOOL) and kind not in _NO_TOOLS else None


def invocations(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tools' parts that the fourth version kept beside a message's text."""
    return objects_of(message.get("toolInvocations"))


def is_unsent(part: Any) -> bool:
    """Return whether a part of a UIMessage is for the user interface alone."""
    kind = type_name(part)
    return kind in UNSENT or kind.startswith("data-")


def plain_of(part: Any) -> Text | Think | Other:
    """Return the block of a part that is no tool's."""
    if isinstance(part, str):
        return Text(part)
    if isinstance(part, dict):
        kind = type_name(part)
        text = part.get("text")
        if kind == "text" and isinstance(text, str):
            return Text(text)
        text = part.get("reasoning") if text is None else text
        if kind == REASONING and isinstance(text, str):
            return Think(text, _signature(part))
        media = part.get("mediaType", part.get("mimeType"))
        if kind == "image" or (kind == "file" and isinstance(media, str) and media.startswith("image/")):
            return Other("image", compact(part), _size(part))
    return other(part)


_SEALS = ("signature", "reasoningEncryptedContent", "thoughtSignature")
"""Keys of the seal of a reasoning, as the SDK keeps Anthropic's, OpenAI's and Google's."""


def _signature(part: dict[str, Any]) -> str | None:
    """Return what seals a reasoning, as the SDK keeps it under its provider's name."""
    for key in ("providerOptions", "providerMetadata"):
        kept = part.get(key)
        for own in kept.values() if isinstance(kept, dict) else ():
            if isinstance(own, dict):
                seals = [own[name] for name in _SEALS if isinstance(own.get(name), str)]
                if seals:
                    return str(seals[0])
    details = part.get("details")
    first = details[0] if isinstance(details, list) and details else None
    return text_or_none(first, "signature") if isinstance(first, dict) else None


def _size(part: dict[str, Any]) -> tuple[int, int] | None:
    for key in ("image", "data", "url"):
        data = part.get(key)
        if isinstance(data, str) and not data.startswith(("http://", "https://")):
            # Few chats hold an image; the others start sooner without the decoder.
            from windowkeeper_cli.formats.images import size_of_base64

            return size_of_base64(data.partition(",")[2] if data.startswith("data:") else data)
    return None


def call_of(part: dict[str, Any], name: str) -> tuple[ToolCall, CallRef]:
    """Return the call of a part; the fourth version called its input `args`."""
    given = part.get("input", part.get("args", part.get("rawInput")))
    return call_of_text(part.get("toolCallId"), name, given)


def pieces_of(part: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the parts of a ModelMessage that a UIMessage's tool part stands for: the call, and what it gave."""
    about = {"toolCallId": part.get("toolCallId"), "toolName": name}
    call = {"type": CALL, **about, "input": part.get("input"), "providerExecuted": part.get("providerExecuted")}
    state, approval = part.get("state"), part.get("approval")
    if state == "output-available":
        output = part.get("output")
        given = {"type": "text" if isinstance(output, str) else "json", "value": output}
    elif state == "output-error":
        given = {"type": "error-text", "value": part.get("errorText")}
    elif state == "output-denied":
        given = {"type": "error-text", "value": approval.get("reason") if isinstance(approval, dict) else None}
    else:
        return [call]
    return [call, {"type": RESULT, **about, "output": given}]


def result_of(part: dict[str, Any]) -> ToolResult:
    """Return the result of a part of a ModelMessage; what is no text is sent as its JSON."""
    name, ident = text_or_none(part, "toolName"), text_or_none(part, "toolCallId") or ""
    if "output" not in part:
        return ToolResult(ident, name, part.get("isError") is True, shown(part.get("result")))
    output = part["output"]
    kind = type_name(output)
    value = output.get("value") if isinstance(output, dict) else output
    if kind == "execution-denied":
        return ToolResult(ident, name, True, result_content(output.get("reason")))
    content = result_content(value) if kind == "content" else shown(value)
    return ToolResult(ident, name, kind in ("error-text", "error-json"), content)


def shown(value: Any) -> tuple[Text | Other, ...]:
    """Return a tool's output as the SDK sends it: a text as it is, anything else as JSON."""
    return () if value is None else (Text(value if isinstance(value, str) else compact(value)),)
