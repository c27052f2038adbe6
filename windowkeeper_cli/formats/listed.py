"""Which records does a log hold that some people keep as one list instead of lines?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.stream import Record


def is_log_list(value: Any) -> bool:
    """Return whether a value is a list of objects alone."""
    return type(value) is list and bool(value) and all(type(inner) is dict for inner in value)


def each_value(values: Iterable[Any]) -> Iterator[Any]:
    """Yield the values, those of a list of objects one by one."""
    for value in values:
        if is_log_list(value):
            yield from value
        else:
            yield value


def objects_in(values: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the objects among the values, those of a list too."""
    return [value for value in each_value(values) if isinstance(value, dict)]


def one_by_one(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records, those of a list of objects one by one, without their paths in it."""
    for record in records:
        if is_log_list(record.value):
            for value in record.value:
                yield Record(value, record.origin)
        else:
            yield record


def each_record(records: Iterable[Record]) -> Iterator[Message]:
    """Yield the records as they come, those of a list of objects one by one, each with its path in the list."""
    for value, origin in records:
        if is_log_list(value):
            for n, inner in enumerate(value):
                yield Message(inner, origin, f"[{n}]")
        else:
            yield Message(value, origin, None)
