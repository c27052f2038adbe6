"""Small session logs and documents that the tests of this folder build their inputs from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.transcript import Transcript

SHARED = Path(__file__).parents[2].parent / "shared"


class LogFile:
    """Lines of a session log; each names the line before it as its parent unless it is told another one."""

    def __init__(self, session: str = "s-1") -> None:
        self.lines: list[dict[str, Any]] = []
        self.session = session
        self.last: str | None = None

    def add(self, kind: str, **more: Any) -> str:
        """Add a line of the chain and return its uuid."""
        uuid: str = more.pop("uuid", f"u{len(self.lines) + 1}")
        parent = more.pop("parent", self.last)
        line = {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": self.session, "isSidechain": False}
        self.lines.append(line | more)
        self.last = uuid
        return uuid

    def bare(self, **line: Any) -> None:
        """Add a line that is no link of the chain."""
        self.lines.append(line)

    def user(self, content: Any, **more: Any) -> str:
        """Add a user line."""
        return self.add("user", message={"role": "user", "content": content}, **more)

    def result(self, ident: str, content: Any = "out", **more: Any) -> str:
        """Add a user line with one tool result."""
        return self.user([{"type": "tool_result", "tool_use_id": ident, "content": content}], **more)

    def reply(
        self, message: str, *blocks: dict[str, Any], usage: Any = None, stop: str | None = None, **more: Any
    ) -> str:
        """Add one line of a model's reply."""
        body = {
            "id": message,
            "role": "assistant",
            "model": more.pop("model", "claude-test"),
            "content": list(blocks),
            "stop_reason": stop,
        }
        if usage is not None:
            body["usage"] = usage
        return self.add("assistant", message=body, **more)

    def encoded(self) -> bytes:
        """Return the file's bytes."""
        return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in self.lines)

    def load(self, **options: Any) -> Transcript:
        """Return the transcript."""
        return loads(self.encoded(), "log.jsonl", **options)


def text(words: str) -> dict[str, Any]:
    """Return a text block."""
    return {"type": "text", "text": words}


def call(ident: str, name: str = "Bash", **args: Any) -> dict[str, Any]:
    """Return a tool call block."""
    return {"type": "tool_use", "id": ident, "name": name, "input": args}


def document(value: Any, **options: Any) -> Transcript:
    """Return the transcript of a JSON document."""
    return loads(json.dumps(value).encode(), "doc.json", **options)


def kinds(transcript: Transcript) -> list[tuple[str, str]]:
    """Return the findings as (kind, place without the file)."""
    return [(finding.kind, finding.where.partition(":")[2]) for finding in transcript.findings]


def roles(transcript: Transcript) -> str:
    """Return the items' roles by their first letters: s, u, a, t."""
    return "".join(item.role[0] for item in transcript.items)
