"""Which of Gemini's shapes is an input? Told by its first value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.gemini.bodies import read_contents
from windowkeeper_cli.formats.gemini.chat import read_chat
from windowkeeper_cli.formats.gemini.numbering import numbered
from windowkeeper_cli.formats.gemini.stream import read_stream
from windowkeeper_cli.formats.listed import objects_in
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.wire.pair import sampled_pairs

_STREAMED = frozenset(("init", "message", "tool_use", "tool_result", "error", "result"))


def reader_of(first: list[Any]) -> Callable[[Reading], Draft]:
    """Return what reads an input that begins with these values."""
    if sampled_pairs(first):
        return _read_pairs
    for value in objects_in(first)[:1]:
        if "parts" in value or "contents" in value or "history" in value:
            return read_contents
        if type_name(value) in _STREAMED:
            return read_stream
        if "messages" in value or "projectHash" in value or "type" in value:
            return read_chat
    return read_contents


def _read_pairs(reading: Reading) -> Draft:
    # Most inputs are no such log, and start sooner without it.
    from windowkeeper_cli.formats.wire.generate_content import DIALECT
    from windowkeeper_cli.formats.wire.reader import read_pairs

    return numbered(read_pairs(reading, DIALECT))
