"""What may be offered to a shell: a value that it takes for one word and nothing more, and a text beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from windowkeeper_cli.model.value import NamedTuple

_SAFE = re.compile(r"[A-Za-z0-9._:=@%+,/-]+")
"""A name on disk may hold anything; one with more than this could be read as a command where it is inserted."""


class Candidate(NamedTuple):
    """One value, and what it is, empty where its name says it."""

    value: str
    text: str = ""


def offered(found: Iterable[Candidate], incomplete: str) -> list[Candidate]:
    """Return those that begin so and are safe to insert."""
    return [one for one in found if one.value.startswith(incomplete) and _SAFE.fullmatch(one.value)]


def with_texts(candidates: Iterable[Candidate]) -> Iterator[str]:
    """Yield a line for each: its value, and after a tab its text where it has one."""
    for one in candidates:
        yield f"{one.value}\t{one.text}" if one.text else one.value
