"""How do messages of the Vercel AI SDK become entries? Those of its user interface, and those it sends to models."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.ai_sdk.parts import OWN_PARTS, UI_PARTS, invocations, tool_of
from windowkeeper_cli.formats.body import sampled
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.reading import CERTAIN, Reading, Verdict

WHAT = "AI SDK messages: UIMessages with parts, or ModelMessages with tool-call and tool-result parts"


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are messages of the AI SDK, and why."""
    found = sampled(values)
    for message in found[1] if found else ():
        content, parts = message.get("content"), message.get("parts")
        if any(isinstance(part.get("toolCallId"), str) for part in invocations(message)):
            return Verdict(CERTAIN, "UI messages with toolInvocations")
        for part in content if isinstance(content, list) else ():
            if type_name(part) in OWN_PARTS or _is_media(part):
                return Verdict(CERTAIN, f"messages with {part['type']} parts")
        for part in parts if isinstance(parts, list) and "info" not in message else ():
            if _is_ui_part(part):
                return Verdict(CERTAIN, f"UI messages with {part['type']} parts")
    return None


def _is_media(part: Any) -> bool:
    """Return whether a part is a file or an image in the SDK's own shape."""
    kind = type_name(part)
    if kind == "image":
        return isinstance(part.get("image"), str)
    return kind == "file" and isinstance(part.get("mediaType"), str)


def _is_ui_part(part: Any) -> bool:
    kind = type_name(part)
    if kind in ("text", "reasoning"):
        return isinstance(part.get("text", part.get("reasoning")), str) and not part.keys() & {"content", "messageID"}
    return kind in UI_PARTS or _is_media(part) or tool_of(part) is not None


def read(reading: Reading) -> Draft:
    """Return the entries of the messages."""
    # Most inputs are another format's, and start sooner without the reader.
    from windowkeeper_cli.formats.ai_sdk.reader import read_messages

    return read_messages(reading)
