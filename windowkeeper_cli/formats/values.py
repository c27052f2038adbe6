"""How do messages that are at hand as Python values become a transcript? Read as a file's are, without the bytes."""

from __future__ import annotations

from typing import Any

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


def from_value(value: Any, format_name: str) -> Transcript:
    """Return the transcript in a body or list of messages; an empty one has no item.

    Raises InputError where a value is no JSON (or a number is too large for it), UsageError for an unknown format.
    """
    opened = Opened(NAME, None, b"", None)
    reading = Reading([Record(value, Origin(0, 0, 0, 1))], (opened,), Log())
    try:
        draft = FORMATS.module(format_name).read(reading)
    except (InexactError, RecursionError, TypeError) as error:
        what = "a value in it that is no JSON, or too large or too deep for it"
        raise InputError(what, "give plain dicts, lists, texts and numbers", where=NAME) from error
    facts = [FileFacts(NAME, 1, 0, "")]
    origins = Origins(facts, [None], [None])
    return assemble(draft, known_as=(format_name, "asked for"), files=facts, origins=origins, measure=None)
