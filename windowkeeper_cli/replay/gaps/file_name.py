"""What is a path called by its last segment alone?"""

from __future__ import annotations

import re

from windowkeeper_cli.replay.gaps.arguments import is_plain
from windowkeeper_cli.rules.identifiers import Identifier

_SEPARATORS = re.compile(r"[/\\]")


def file_name(one: Identifier) -> Identifier | None:
    """Return the last segment of a path as an identifier of its own, None where it is the whole or a plain word."""
    if not one.is_path:
        return None
    last = _SEPARATORS.split(one.name)[-1]
    return None if last == one.name or is_plain(last) else Identifier(last, (last,), True)


def with_file_name(one: Identifier) -> tuple[Identifier, ...]:
    """Return an identifier, and after a path its file name: with this in view the path can be told."""
    last = file_name(one)
    return (one,) if last is None else (one, last)
