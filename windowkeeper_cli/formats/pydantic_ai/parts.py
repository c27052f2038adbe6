"""What does one part of a Pydantic AI message hold, as the model is sent it or gave it?

Kinds and their texts are those of `pydantic_ai.messages`; where providers' adapters differ, the part's own content
stands.
"""

from __future__ import annotations

import json
from typing import Any

from windowkeeper_cli.formats.call_text import call_of_text
from windowkeeper_cli.formats.content import made_call
from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.images import size_of_base64
from windowkeeper_cli.model.block import Block, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import CallRef

CALL, RESULT, RETRY, COMPACTION = "tool-call", "tool-return", "retry-prompt", "compaction"
PROMPT, SYSTEM_PROMPT, SPEECH, FEEDBACK, DELTA = (
    "user-prompt", "system-prompt", "speech", "retry-feedback", "instruction-delta",
)  # fmt: skip
SILENT = frozenset(("instruction-baseline", "tool-availability-delta", "capability-load-delta", "model-settings-delta"))
"""Parts of a request that no model is sent."""
KNOWN = frozenset(
    ("image", "image_url", "audio", "video", "document", "file", COMPACTION, "builtin-tool-call", "builtin-tool-return")
)
_FAILED = ("failed", "retried")
_AGAIN = "\n\nFix the errors and try again."
_MEDIA = {"image-url": "image_url", "audio-url": "audio", "video-url": "video", "document-url": "document"}
_MARK = "cache-point"
"""Where a provider may cut its cache: no part of the text."""


def call_in(part: dict[str, Any]) -> tuple[ToolCall, CallRef]:
    """Return the call of a part, its arguments parsed or as the text that the model wrote."""
    args = part.get("args")
    if isinstance(args, str):
        return call_of_text(part.get("tool_call_id"), part.get("tool_name"), args)
    return made_call(part.get("tool_call_id"), part.get("tool_name"), args)


def result_in(part: dict[str, Any]) -> ToolResult:
    """Return the result of a part; of one that asks to try again, what the model is told."""
    name = text_or_none(part, "tool_name")
    ident = text_or_none(part, "tool_call_id") or ""
    if part["part_kind"] == RETRY:
        return ToolResult(ident, name, True, (Text(asked_again(part)),))
    return ToolResult(ident, name, part.get("outcome") in _FAILED, _returned(part.get("content")))


def asked_again(part: dict[str, Any]) -> str:
    """Return the text of a request to try again: the errors of a validation, or a program's own words."""
    content = part.get("content")
    if isinstance(content, str):
        about = content if part.get("tool_name") else f"Validation feedback:\n{content}"
        return about + _AGAIN if part["part_kind"] == RETRY else content
    errors = content if isinstance(content, list) else []
    shown = [{k: v for k, v in one.items() if k != "ctx"} if isinstance(one, dict) else one for one in errors]
    text = json.dumps(shown, indent=2, ensure_ascii=False)
    return f"{len(shown)} validation error{'' if len(shown) == 1 else 's'}:\n```json\n{text}\n```{_AGAIN}"


def said_in(content: Any) -> tuple[Text | Other, ...]:
    """Return what a prompt holds: a text, or texts and files in a list."""
    parts = content if isinstance(content, list) else [content]
    return tuple(_said(part) for part in parts if part is not None and not _is_mark(part))


def block_of(part: dict[str, Any]) -> Block:
    """Return the block of a part of a response that is no call."""
    kind, content = part["part_kind"], part.get("content")
    if kind == "text" and isinstance(content, str):
        return Text(content)
    if kind == "thinking":
        return Think(content if isinstance(content, str) else "", text_or_none(part, "signature"))
    if kind == SPEECH:
        return Text(text_or_none(part, "transcript") or "")
    if kind == "file" and isinstance(content, dict):
        return _file(content)
    return Other(kind, compact(part))


def _returned(content: Any) -> tuple[Text | Other, ...]:
    """Return what a tool returned: a text as it is, files as files, anything else as JSON."""
    if content is None:
        return ()
    listed = isinstance(content, list) and any(_is_file(part) for part in content)
    parts = content if listed else [content]
    return tuple(_said(part) if isinstance(part, str) or _is_file(part) else Text(compact(part)) for part in parts)


def _said(part: Any) -> Text | Other:
    if isinstance(part, str):
        return Text(part)
    if isinstance(part, dict):
        if part.get("kind") == "text-content" and isinstance(part.get("content"), str):
            return Text(part["content"])
        if _is_file(part):
            return _file(part)
        kind = part.get("kind")
        return Other(kind if isinstance(kind, str) and kind else "object", compact(part))
    return Text(compact(part))


def _is_file(part: Any) -> bool:
    kind = part.get("kind") if isinstance(part, dict) else None
    return isinstance(kind, str) and (kind in _MEDIA or kind in ("binary", "uploaded-file"))


def _is_mark(part: Any) -> bool:
    return isinstance(part, dict) and part.get("kind") == _MARK


def _file(part: dict[str, Any]) -> Other:
    kind, media = str(part.get("kind")), part.get("media_type")
    if kind in _MEDIA:
        return Other(_MEDIA[kind], compact(part))
    if isinstance(media, str) and media.startswith("image/"):
        data = part.get("data")
        return Other("image", compact(part), size_of_base64(data) if isinstance(data, str) else None)
    return Other("file", compact(part))
