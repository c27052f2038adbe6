"""Which messages does a document or a file of messages hold? The shape that all request bodies share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.stream import Record
from windowkeeper_cli.model.item import Origin
from windowkeeper_cli.model.value import NamedTuple


class Message(NamedTuple):
    """One message as it came: its value, the record it stands in, and its path inside a document (None: a line)."""

    value: Any
    origin: Origin
    place: str | None


class Body(NamedTuple):
    """The keys around the messages (empty for a bare list or lines), and the record they stand in."""

    top: dict[str, Any]
    origin: Origin | None


def is_message(value: Any) -> bool:
    """Return whether `value` is an object with a role."""
    return isinstance(value, dict) and isinstance(value.get("role"), str)


def is_body(value: Any) -> bool:
    """Return whether `value` is an object with a list of messages, each with a role."""
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    return all(is_message(message) for message in value["messages"])


def is_list(value: Any) -> bool:
    """Return whether `value` is a list of messages."""
    return isinstance(value, list) and bool(value) and all(is_message(message) for message in value)


def sampled(values: list[Any]) -> tuple[dict[str, Any], list[Any]] | None:
    """Return the top keys and the messages that the values hold, or None where they are no body, list or lines."""
    if not values:
        return None
    first = values[0]
    if len(values) == 1 and is_body(first):
        return first, first["messages"]
    if len(values) == 1 and is_list(first):
        return {}, first
    messages = [value for value in values if is_message(value)]
    heading = isinstance(first, dict) and not is_message(first) and isinstance(first.get("format"), str)
    if messages and len(messages) + heading == len(values):
        return (first if heading else {}), messages
    return None


def messages_of(records: Iterable[Record], bodies: list[Body]) -> Iterator[Message]:
    """Yield the messages of a body, a list or lines in order; the keys around them are added to `bodies`."""
    for value, origin in records:
        if is_message(value):
            yield Message(value, origin, None)
        elif isinstance(value, list):
            for n, inner in enumerate(value):
                yield Message(inner, origin, f"[{n}]")
        elif isinstance(value, dict) and isinstance(value.get("messages"), list):
            bodies.append(Body({k: v for k, v in value.items() if k != "messages"}, origin))
            for n, inner in enumerate(value["messages"]):
                yield Message(inner, origin, f"messages[{n}]")
        elif isinstance(value, dict) and isinstance(value.get("format"), str):
            bodies.append(Body(value, origin))
        else:
            yield Message(value, origin, None)


def unknown_name(value: Any) -> str:
    """Return the name that a message of no known kind is counted under."""
    if isinstance(value, dict) and isinstance(value.get("role"), str):
        return f"role {value['role']}"
    return type_name(value)
