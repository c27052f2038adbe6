"""What is a path called by its last segment alone?"""

from __future__ import annotations

import re

from windowkeeper_cli.replay.gaps.arguments import is_plain
from windowkeeper_cli.rules.identifiers import Identifier
from windowkeeper_cli.rules.sought import is_word

_SEPARATORS = re.compile(r"[/\\]")


def file_name(one: Identifier) -> Identifier | None:
    """Return the last segment of a path as an identifier of its own, None where it is the whole or a plain word."""
    if not one.is_path:
        return None
    last = _SEPARATORS.split(one.name)[-1]
    return None if last == one.name or is_plain(last) else Identifier(last, (last,), True)


def with_file_name(one: Identifier) -> tuple[Identifier, ...]:
    """Return an identifier, and after a path its file name: with this in view the path can be told.

    A file name of one word is looked for as a word, and so is found behind a hyphen too.
    """
    last = file_name(one)
    if last is None:
        return (one,)
    return one, (Identifier(last.name, last.forms, False) if is_word(last.name) else last)
