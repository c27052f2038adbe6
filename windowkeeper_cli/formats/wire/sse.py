"""Which events does a streamed response hold? Server-sent events as text, as lines, or already parsed."""

from __future__ import annotations

import json
from typing import Any

from windowkeeper_cli.formats.exact import DECODER

_LINES = ("sse_lines", "lines", "events", "chunks")


def parsed(response: Any) -> Any:
    """Return a response that was logged as the text of one JSON document parsed, any other as it is."""
    if isinstance(response, str) and response.lstrip(" \t\r\n").startswith("{"):
        try:
            return DECODER.decode(response.strip(" \t\r\n"))
        except (ValueError, RecursionError):
            return response
    return response


def events_in(response: Any) -> list[dict[str, Any]]:
    """Return the events of a streamed response in order, nothing where it is not streamed."""
    if isinstance(response, dict):
        response = next((response[key] for key in _LINES if isinstance(response.get(key), list | str)), None)
    if isinstance(response, str):
        response = response.split("\n")
    if not isinstance(response, list):
        return []
    return [event for line in response for event in _event(line)]


def _event(line: Any) -> list[dict[str, Any]]:
    if isinstance(line, str):
        if not line.startswith("data:"):
            return [event for inner in line.split("\n")[1:] for event in _event(inner)] if "\n" in line else []
        try:
            line = DECODER.decode(line[len("data:") :].strip(" \r\n"))
        except (ValueError, RecursionError):
            return []
    return [line] if isinstance(line, dict) else []


def arguments(text: str) -> Any:
    """Return streamed tool arguments parsed, as the format keeps them; a text that was cut stays a text."""
    if not text.strip(" \t\r\n"):
        return {}
    try:
        return DECODER.decode(text)
    except (json.JSONDecodeError, RecursionError):
        return text
