"""Which identifiers do a tool call's arguments use, so that the model must have had them from somewhere?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from windowkeeper_cli.replay.gaps.options import is_option, is_option_in_text
from windowkeeper_cli.rules.identifiers import Identifier, identifiers

_COMPOSED = """
    content contents new_string new_str newString new_source file_text replacement insert_text prompt description code
    patch diff message body text thought todos plan question questions commit_message title summary activeForm subject
    explanation justification
"""
COMPOSED = frozenset(_COMPOSED.split())
"""Argument names, as tools spell them, whose value the model composes rather than quotes."""
_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)([A-Za-z_][A-Za-z0-9_]{0,40})\1([^\n]*\n)")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.:/#-])[0-9]{5,20}(?![A-Za-z0-9_.:/-])")
SEGMENTS = 3
"""Segments of a path that even a composed text cannot have by chance."""


def names_in(args: str) -> tuple[Identifier, ...]:
    """Return the identifiers that an argument text uses, each once, in order; composed text gives long paths alone."""
    found: dict[str, Identifier] = {}
    for text, composed in _texts(args):
        for one in (*identifiers(text), *(() if composed else _numbers(text))):
            if not is_plain(one.name) and (not composed or is_long_path(one)):
                found.setdefault(one.name, one)
    return tuple(found.values())


def is_plain(name: str) -> bool:
    """Return whether a name is a word without a digit, a separator or an inner capital: it points at nothing."""
    return not any("0" <= char <= "9" or char in "_./:\\#@-" or "A" <= char <= "Z" for char in name[1:])


def is_long_path(one: Identifier) -> bool:
    """Return whether an identifier is a path of three or more segments."""
    return one.is_path and len([part for part in re.split(r"[/\\]", one.name) if part]) >= SEGMENTS


def _numbers(text: str) -> Iterable[Identifier]:
    for match in _NUMBER.finditer(text):
        if not is_option_in_text(text, match.start(), match.group()):
            yield Identifier(match.group(), (match.group(),), False)


def _texts(args: str) -> Iterator[tuple[str, bool]]:
    """Yield the strings of an argument text, and whether the model composed each; what is no JSON is composed."""
    try:
        value = json.loads(args)
    except (ValueError, RecursionError):
        yield args, True
        return
    yield from _walk("", value, composed=False)


def _walk(key: str, value: object, *, composed: bool) -> Iterator[tuple[str, bool]]:
    composed = composed or key in COMPOSED
    if isinstance(value, str):
        yield from ((value, True),) if composed else _without_heredocs(value)
    elif isinstance(value, dict):
        for inner, part in value.items():
            yield from _walk(inner, part, composed=composed)
    elif isinstance(value, list):
        for part in value:
            yield from _walk(key, part, composed=composed)
    elif isinstance(value, int) and not isinstance(value, bool) and not is_option(key, value):
        yield str(value), composed


def _without_heredocs(text: str) -> Iterator[tuple[str, bool]]:
    """Yield a command's text with the documents inside it apart: the model composed those."""
    start = 0
    while (opening := _HEREDOC.search(text, start)) is not None:
        end = text.find(f"\n{opening[2]}", opening.end() - 1)
        end = len(text) if end < 0 else end
        yield text[start : opening.end()], False
        yield text[opening.end() : end], True
        start = max(end, opening.end())
    yield text[start:], False
