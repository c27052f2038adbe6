"""Which texts do real logs hold? A walk over any JSON log, for fitting by hand; no format is known here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

_TEXT_KEYS = frozenset(
    (
        *("text", "thinking", "content", "output", "observation", "summary"),
        *("description", "instructions", "arguments", "raw", "fullOutput"),
    )
)
_ARGUMENT_KEYS = frozenset(("input", "arguments", "args", "parameters"))
_NAME_KEYS = ("name", "tool", "tool_name", "toolName")
_NOT_SENT = frozenset(
    (
        *("toolUseResult", "snapshot", "normalizedMessages", "usage", "source", "metadata", "tools", "url", "id"),
        *("signature", "sig", "encrypted_content", "thinkingSignature", "textSignature", "trajectory", "state"),
    )
)
_SECOND_COPIES = frozenset(
    (
        *("progress", "file-history-snapshot", "event_msg", "hook.start", "hook.end", "tool.execution_start"),
        *("queue-operation", "summary", "system"),
    )
)


def sessions(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield (relative path, texts) for every log below `folder`; a text seen before, anywhere, is left out."""
    seen: set[str] = set()
    for path in sorted(folder.rglob("*.json*")) + sorted(folder.rglob("*.traj")):
        texts: list[str] = []
        for value in _values(path.read_bytes().decode("utf-8", "replace")):
            if isinstance(value, dict) and value.get("type") in _SECOND_COPIES:
                continue
            if isinstance(value, dict) and "kind" in value and "raw" in value:
                value = value["raw"]
            texts.extend(_texts(value, ""))
        fresh = [text for text in dict.fromkeys(texts) if text and text not in seen]
        seen.update(fresh)
        yield str(path.relative_to(folder)), fresh


def _values(text: str) -> Iterator[object]:
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
            continue
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            at = text.find("\n", at) + 1 or len(text)
            continue
        yield value


def _texts(value: object, under: str) -> Iterator[str]:
    if isinstance(value, str):
        if under in _TEXT_KEYS:
            yield value
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part, under)
    elif isinstance(value, dict) and value.get("type") not in ("image", "input_image"):
        named = any(key in value for key in _NAME_KEYS)
        for key, part in value.items():
            if key in _NOT_SENT:
                continue
            if named and key in _ARGUMENT_KEYS and isinstance(part, dict):
                yield json.dumps(part, ensure_ascii=False, separators=(",", ":"))
            else:
                yield from _texts(part, key)
