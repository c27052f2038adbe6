"""Small sessions for gaps: a call and its result a line, a window that keeps a few turns, gaps as short rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.generated import loaded, settings
from tests.sessions import sliding
from windowkeeper_cli.model.example import Message, asks, session
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.gaps.finding import gaps_of
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.tokens import counts

FILL = "abc def " * 75
"""600 characters without a name in them: more than a notice takes; one character is a token."""


def did(number: int, tool: str, result: str, **args: object) -> list[Message]:
    """Return call `c<number>` of a tool with its result."""
    call = {"id": f"c{number}", "name": tool, "args": args}
    return [
        {"role": "assistant", "content": "", "toolCalls": [call]},
        {"role": "tool", "toolCallId": f"c{number}", "content": result},
    ]


def said(text: str) -> list[Message]:
    """Return a message of the model."""
    return [{"role": "assistant", "content": text}]


def pause(number: int, rounds: int = 3) -> list[Message]:
    """Return rounds that say nothing, so that what came before leaves a window of three turns."""
    return [part for n in range(rounds) for part in did(number * 100 + n, "think", "ok")]


def numbered(first: int, last: int, word: str = "line of the file") -> str:
    """Return lines of a file as a tool shows them."""
    return "\n".join(f"{number:>6}\t{word} {number}" for number in range(first, last + 1))


def gaps(
    *parts: Sequence[Message], how: dict[str, Any] | None = None, kinds: Sequence[str] | None = None, **top: object
) -> list[Gap]:
    """Return the gaps of a session that begins with a request."""
    messages = [asks("Begin"), *(message for part in parts for message in part)]
    return of(loaded(session(*messages, **top)), how, kinds)


def of(transcript: Transcript, how: dict[str, Any] | None = None, kinds: Sequence[str] | None = None) -> list[Gap]:
    """Return the gaps of a transcript, constraints and lost requests left out where nobody names kinds."""
    wanted = ("re-read", "identifier", "mention") if kinds is None else kinds
    return list(gaps_of(transcript, counts(transcript, "chars:1"), settings(how or sliding()), kinds=wanted))


def rows(found: Sequence[Gap]) -> list[tuple[int, str, str, int | None]]:
    """Return call, kind, use and source of each gap."""
    return [(gap.call, gap.kind, gap.use, gap.source) for gap in found]
