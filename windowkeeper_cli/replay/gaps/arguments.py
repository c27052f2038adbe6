"""Which identifiers do a tool call's arguments use, so that the model must have had them from somewhere?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from windowkeeper_cli.replay.gaps.command_text import command_parts
from windowkeeper_cli.replay.gaps.options import is_option, is_option_in_text
from windowkeeper_cli.replay.gaps.tool_use import SHELL
from windowkeeper_cli.rules.identifiers import Identifier, identifiers

USED, COMPOSED, QUOTED, CHOSEN = "used", "composed", "quoted", "chosen"
_COMPOSED = """
    content contents new_string new_str newString new_source file_text replacement insert_text prompt description code
    patch diff message body text thought todos plan question questions commit_message title summary activeForm subject
    explanation justification
"""
_QUOTED = "old_string old_str oldString old_text search_string"
_CHOSEN = """
    status state type mode kind action model subagent_type role level format language output_mode method operation
    priority category
"""
_HOW = {
    **dict.fromkeys(_COMPOSED.split(), COMPOSED),
    **dict.fromkeys(_QUOTED.split(), QUOTED),
    **dict.fromkeys(_CHOSEN.split(), CHOSEN),
}
"""How the model comes by the value of an argument, by the argument's name as tools spell it.

What it chose from the words that a tool takes names nothing.
"""
QUOTED_CHARS = 200
"""The part of a quoted text that the name which stands for it is taken from."""
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.:/#-])[0-9]{5,20}(?![A-Za-z0-9_.:/-])")
_CONTENT = frozenset(["content", "contents", "file_text"])
"""Beside one of these a path inside a list of files is written whole."""
_NUMBERED_WORD = re.compile(r"[A-Za-z]{2,5}[0-9]{1,3}|[0-9]{0,4}\.?[0-9]{1,4}")
_POINTING = re.compile(r"[0-9_./:\\#@A-Z-]")
_PATTERN_CHARS = frozenset("*?{}")
SEGMENTS = 3
"""Segments of a path that even a composed text cannot have by chance."""


def names_in(args: str, family: str) -> tuple[Identifier, ...]:
    """Return the identifiers that an argument text uses, each once, in order.

    Composed text, and any of several lines but a command, gives long paths alone; text quoted from a file its longest
    name, which stands for the rest: where the model had that name first, it quotes what it wrote itself.
    """
    found: dict[str, Identifier] = {}
    for text, how in _texts(args, family):
        if how == CHOSEN or (how == COMPOSED and max(text.count("/"), text.count("\\")) < SEGMENTS - 1):
            continue
        looked_at = text[:QUOTED_CHARS] if how == QUOTED else text
        names = [one for one in identifiers(looked_at) if not is_plain(one.name)]
        if how == COMPOSED:
            names = [one for one in names if is_long_path(one)]
        elif how == QUOTED:
            names = [max(names, key=lambda one: (not one.is_path, len(one.name)))] if names else []
        else:
            names += _numbers(text)
        for one in names:
            found.setdefault(one.name, one)
    return tuple(found.values())


def is_plain(name: str) -> bool:
    """Return whether a name is a word that points at nothing.

    That is one without a digit, a separator or an inner capital, one that only ends in a few digits (`utf8`), a small
    number, the end of a file name alone (`.test.ts`), and a pattern of names (`*.ts`).
    """
    if name.startswith(".") or not _PATTERN_CHARS.isdisjoint(name) or _NUMBERED_WORD.fullmatch(name):
        return True
    return _POINTING.search(name, 1) is None


def is_long_path(one: Identifier) -> bool:
    """Return whether an identifier is a path of three or more segments."""
    return one.is_path and len([part for part in re.split(r"[/\\]", one.name) if part]) >= SEGMENTS


def _numbers(text: str) -> Iterable[Identifier]:
    for match in _NUMBER.finditer(text):
        if not is_option_in_text(text, match.start(), match.group()):
            yield Identifier(match.group(), (match.group(),), False)


def _texts(args: str, family: str) -> Iterator[tuple[str, str]]:
    """Yield the strings of an argument text, and how the model came by each; what is no JSON is composed."""
    try:
        value = json.loads(args)
    except (ValueError, RecursionError):
        yield args, COMPOSED
        return
    for text, how in _walk("", value, USED):
        if how == USED and family == SHELL:
            yield from ((part, COMPOSED if composed else USED) for part, composed in command_parts(text))
        elif how == USED and "\n" in text.strip():
            yield text, COMPOSED
        else:
            yield text, how


def _walk(key: str, value: object, how: str) -> Iterator[tuple[str, str]]:
    how = _HOW.get(key, how)
    if isinstance(value, str):
        yield value, how
    elif isinstance(value, dict):
        written = key and not _CONTENT.isdisjoint(value)
        for inner, part in value.items():
            yield from _walk(inner, part, CHOSEN if written and inner not in _CONTENT else how)
    elif isinstance(value, list):
        for part in value:
            yield from _walk(key or "items", part, how)
    elif isinstance(value, int) and not isinstance(value, bool) and not is_option(key, value):
        yield str(value), how
