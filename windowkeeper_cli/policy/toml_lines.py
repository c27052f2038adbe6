"""On which line of a TOML text does each key stand: a walk over its tables, dotted keys and values."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress

from windowkeeper_cli.policy.text_place import DEEPEST, DamagedTextError, Lines, Path, Place

_BLANKS = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_SPACES = re.compile(r"[ \t]*")
_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*'""")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_STRING = re.compile(r""""(?:[^"\\\n]++|\\.)*+"|'[^'\n]*'""")
_LONG = {
    '"""': re.compile(r'"""(?:[^"\\]++|\\.|"(?!""))*+"{3,5}', re.DOTALL),
    "'''": re.compile(r"'''.*?'{3,5}", re.DOTALL),
}
_PLAIN = re.compile(r"[^,\]}#\n]+")
_REST = re.compile(r"[^\n]*")


class _LostError(Exception):
    """The text is no TOML from here on; the parser will say so in its own words."""


def places_of(text: str) -> dict[Path, Place]:
    """Return the place of every key and list element, the first one where a table is named again.

    A damaged text gives the places before the damage. Raises DamagedTextError for a key or a value of more than
    `DEEPEST` levels, which the parser of the standard library would take a time out of proportion for.
    """
    walk = _Walk(text)
    with suppress(_LostError):
        walk.document()
    return walk.places


class _Walk:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines = Lines(text)
        self.places: dict[Path, Place] = {}
        self.tables: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        while True:
            self.skip(_BLANKS)
            if self.at == len(self.text):
                return
            if self.text.startswith("[[", self.at):
                table = self.header(2)
            elif self.text.startswith("[", self.at):
                table = self.header(1)
            else:
                self.pair(table, 0)
            self.skip(_REST)

    def header(self, brackets: int) -> Path:
        start = self.at
        self.at += brackets
        self.skip(_SPACES)
        path: Path = ()
        parts = self.key()
        for number, (part, at) in enumerate(parts, 1):
            path = (*path, part)
            self.places.setdefault(path, self.lines.place(at))
            if brackets == 2 and number == len(parts):
                count = self.tables[path] = self.tables.get(path, 0) + 1
                path = (*path, count - 1)
                self.places[path] = self.lines.place(start)
            elif path in self.tables:
                path = (*path, self.tables[path] - 1)
        return path

    def pair(self, table: Path, depth: int) -> None:
        path = table
        for part, at in self.key():
            path = (*path, part)
            self.places.setdefault(path, self.lines.place(at))
        self.skip(_SPACES)
        self.demand("=")
        self.skip(_SPACES)
        self.value(path, depth)

    def key(self) -> list[tuple[str, int]]:
        """Walk over a dotted key; return its parts and their offsets."""
        parts: list[tuple[str, int]] = []
        while True:
            match = _PART.match(self.text, self.at)
            if not match:
                raise _LostError
            parts.append((_named(match[0]), self.at))
            if len(parts) > DEEPEST:
                raise self.too_deep()
            self.at = match.end()
            dot = _DOT.match(self.text, self.at)
            if not dot:
                return parts
            self.at = dot.end()

    def value(self, path: Path, depth: int) -> None:
        if depth > DEEPEST:
            raise self.too_deep()
        start = self.text[self.at : self.at + 3]
        if start in _LONG:
            self.walk(_LONG[start])
        elif start[:1] in ('"', "'"):
            self.walk(_STRING)
        elif start[:1] == "[":
            self.elements(path, depth)
        elif start[:1] == "{":
            self.members(path, depth)
        else:
            self.walk(_PLAIN)

    def elements(self, path: Path, depth: int) -> None:
        number = 0
        self.at += 1
        while True:
            self.skip(_BLANKS)
            if self.take("]"):
                return
            self.places[(*path, number)] = self.lines.place(self.at)
            self.value((*path, number), depth + 1)
            number += 1
            self.skip(_BLANKS)
            if not self.take(","):
                self.demand("]")
                return

    def members(self, path: Path, depth: int) -> None:
        self.at += 1
        while True:
            self.skip(_BLANKS)
            if self.take("}"):
                return
            self.pair(path, depth + 1)
            self.skip(_BLANKS)
            if not self.take(","):
                self.demand("}")
                return

    def skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def walk(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        if not match:
            raise _LostError
        self.at = match.end()

    def take(self, char: str) -> bool:
        if self.text[self.at : self.at + 1] != char:
            return False
        self.at += 1
        return True

    def demand(self, char: str) -> None:
        if not self.take(char):
            raise _LostError

    def too_deep(self) -> DamagedTextError:
        what = f"is nested more than {DEEPEST} levels deep"
        return DamagedTextError(self.lines.place(self.at), what, "a policy has three levels")


def _named(part: str) -> str:
    """Return the name that one part of a key stands for."""
    if part[0] not in "\"'":
        return part
    if "\\" not in part:
        return part[1:-1]
    try:
        return str(tomllib.loads(f"name = {part}")["name"])
    except tomllib.TOMLDecodeError:
        raise _LostError from None
