"""How do messages that are at hand as Python values become a transcript? Read as a file's are, without the bytes."""

from __future__ import annotations

from typing import Any

import orjson

from windowkeeper_cli.formats.assemble import assemble
from windowkeeper_cli.formats.exact import InexactError
from windowkeeper_cli.formats.opening import Opened
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.registry import FORMATS
from windowkeeper_cli.formats.source import Origins
from windowkeeper_cli.formats.stream import Log, Record
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.item import Origin
from windowkeeper_cli.model.transcript import FileFacts, Transcript

NAME = "<messages>"
_PLAIN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS


def from_value(value: Any, format_name: str) -> Transcript:
    """Return the transcript in a body or list of messages; an empty one has no item.

    Raises InputError where a value is no JSON (or a number is too large for it), UsageError for an unknown format.
    """
    opened = Opened(NAME, None, b"", None)
    reading = Reading([Record(value, Origin(0, 0, 0, 1))], (opened,), Log())
    try:
        _require_json(value)
        draft = FORMATS.module(format_name).read(reading)
    except (InexactError, RecursionError, TypeError) as error:
        what = f"a value in it that is no JSON, or too large or too deep for it ({error or 'a number'})"
        raise InputError(
            what, "give plain dicts and lists (an SDK's own objects have model_dump())", where=NAME
        ) from error
    facts = [FileFacts(NAME, 1, 0, "")]
    origins = Origins(facts, [None], [None])
    return assemble(draft, known_as=(format_name, "asked for"), files=facts, origins=origins, measure=None)


def _require_json(value: Any) -> None:
    """Raise TypeError where a value holds something that JSON has no place for."""
    try:
        orjson.dumps(value, option=_PLAIN)
    except TypeError:
        # Numbers over 64 bits and lone surrogates are JSON all the same.
        todo = [value]
        while todo:
            part = todo.pop()
            if isinstance(part, dict) and all(type(key) is str for key in part):
                todo.extend(part.values())
            elif isinstance(part, list):
                todo.extend(part)
            elif not isinstance(part, str | int | float | None):
                raise TypeError(f"of the type {type(part).__name__}") from None
