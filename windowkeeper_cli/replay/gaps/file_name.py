"""What is a path called by its last segment alone?"""

from __future__ import annotations

import re

from windowkeeper_cli.rules.identifiers import Identifier

SHORTEST = 3
_SEPARATORS = re.compile(r"[/\\]")


def file_name(one: Identifier) -> Identifier | None:
    """Return the last segment of a path as an identifier of its own, None where it is the whole or too short."""
    if not one.is_path:
        return None
    last = _SEPARATORS.split(one.name)[-1]
    return None if last == one.name or len(last) < SHORTEST else Identifier(last, (last,), True)
