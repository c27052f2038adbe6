"""Request bodies that providers did answer are accepted, each for itself, as it was sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import SHARED
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.replay.acceptance.windows import transcript_faults

FORMATS = {
    "anthropic-messages": ("messages", "anthropic"),
    "openai-chat": ("messages", "openai-chat"),
    "openai-responses": ("input", "openai-responses"),
    "gemini-api": ("contents", "gemini"),
}
LOGS = [path for folder in FORMATS for path in sorted((SHARED / "sessions" / folder).glob("*"))]


def bodies(value: Any, key: str) -> Iterator[dict[str, Any]]:
    """Yield every request body in a log's values: what holds a list under `key`, responses left out."""
    if isinstance(value, str) and value.startswith("{"):
        value = json.loads(value)
    if isinstance(value, dict):
        if isinstance(value.get(key), list):
            yield value
            return
        for name, part in value.items():
            if name != "response":
                yield from bodies(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from bodies(part, key)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_a_body_that_was_sent_is_accepted(path: Path) -> None:
    key, name = FORMATS[path.parent.name]
    raw = path.read_text("utf-8")
    values = [json.loads(line) for line in raw.splitlines()] if path.suffix == ".jsonl" else json.loads(raw)
    asked = 0
    for body in bodies(values, key):
        try:
            transcript = loads(json.dumps(body).encode(), "body.json", from_=name)
        except WindowkeeperError:
            continue
        assert transcript_faults(transcript) == []
        asked += 1
    assert asked
