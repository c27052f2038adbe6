"""Which messages was each step of a trajectory sent with? SWE-agent's history processors elide old observations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windowkeeper_cli.model.value import NamedTuple


class Sent(NamedTuple):
    """The messages that one call was sent with, and the path of their list."""

    messages: list[Any]
    place: str


def windows_of(steps: Any, replies: Sequence[dict[str, Any]]) -> dict[int, Sent]:
    """Return the true windows by the number of the call, from 0; of the one after the last call too, where it is told.

    `query` is what its step was sent with. `messages` is that too, or, where it ends behind the step's own reply, what
    the next one is sent with.
    """
    found: dict[int, Sent] = {}
    for n, (step, reply) in enumerate(zip(steps if isinstance(steps, list) else (), replies, strict=False)):
        if not isinstance(step, dict) or not _is_of(step, reply):
            break
        for key, after in (("messages", None), ("query", 0)):
            messages = step.get(key)
            if isinstance(messages, list) and messages:
                later = int(_ends_with(messages, reply)) if after is None else after
                found[n + later] = Sent(messages, f"trajectory[{n}].{key}")
    return found


def _is_of(step: dict[str, Any], reply: dict[str, Any]) -> bool:
    """Return whether a step gave a reply: they have an action or a text in common."""
    same = ("action", "action"), ("response", "content"), ("thought", "content")
    return any(step.get(ours) is not None and step.get(ours) == reply.get(theirs) for ours, theirs in same)


def _ends_with(messages: list[Any], reply: dict[str, Any]) -> bool:
    """Return whether the last reply among the messages is this one."""
    told = (one for one in reversed(messages) if isinstance(one, dict) and one.get("role") == "assistant")
    last = next(told, None)
    return last is not None and all(last.get(key) == reply.get(key) for key in ("content", "tool_calls"))
