"""In which shape was a LangChain message dumped, and where in a document do such messages stand?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from windowkeeper_cli.model.value import NamedTuple

HUMAN, AI, SYSTEM, TOOL, FUNCTION, CHAT, REMOVE = "human", "ai", "system", "tool", "function", "chat", "remove"
_CLASSES = {
    "HumanMessage": HUMAN,
    "AIMessage": AI,
    "SystemMessage": SYSTEM,
    "ToolMessage": TOOL,
    "FunctionMessage": FUNCTION,
    "ChatMessage": CHAT,
    "RemoveMessage": REMOVE,
}
_CLASSES |= {f"{name}Chunk": kind for name, kind in _CLASSES.items()}
_KINDS = {kind: kind for kind in _CLASSES.values()} | _CLASSES
_HOLDERS = ("values", "channel_values", "checkpoint", "state", "output", "outputs", "input", "inputs", "kwargs", "data")
"""Keys under which states, checkpoints and runs keep their messages; an update has them under its node's name."""
_DEEPEST = 4
_SIGNS = frozenset(("additional_kwargs", "response_metadata", "tool_calls", "invalid_tool_calls", "tool_call_id"))


class Dumped(NamedTuple):
    """A message: its kind, its fields, the key that they stand under (`` for none), and how it was dumped.

    `sure` says that no other format writes such a thing.
    """

    kind: str
    fields: dict[str, Any]
    under: str
    how: str
    sure: bool


def dumped(value: Any) -> Dumped | None:
    """Return a message in any of its shapes, None where a value is none."""
    if not isinstance(value, dict):
        return None
    name = value.get("type")
    data, kwargs = value.get("data"), value.get("kwargs")
    if "lc" in value and isinstance(kwargs, dict):
        ident = value.get("id")
        kind = _CLASSES.get(str(ident[-1])) if isinstance(ident, list) and ident else None
        return None if kind is None else Dumped(kind, kwargs, "kwargs", "dumpd", True)
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        return None
    if isinstance(data, dict):
        return Dumped(kind, data, "data", "messages_to_dict", "content" in data)
    if "content" in value and "message" not in value and "payload" not in value:
        return Dumped(kind, value, "", "model_dump", bool(value.keys() & _SIGNS) and "role" not in value)
    return None


def lists_in(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[list[Any], str]]:
    """Yield the lists in a document that may hold messages, each with its path; a list itself has none."""
    if isinstance(value, list):
        nested = len(value) == 1 and isinstance(value[0], list)
        yield (value[0], f"{path}[0]") if nested else (value, path)
    elif isinstance(value, dict) and depth <= _DEEPEST:
        inner = f"{path}." if path else ""
        if isinstance(value.get("messages"), list):
            yield from lists_in(value["messages"], f"{inner}messages", depth)
        for key, held in value.items():
            if isinstance(held, dict) and (key in _HOLDERS or isinstance(held.get("messages"), list)):
                yield from lists_in(held, f"{inner}{key}", depth + 1)
