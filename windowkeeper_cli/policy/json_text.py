"""What does a JSON text hold, and on which line does each key stand."""

from __future__ import annotations

import json
import re

from windowkeeper_cli.policy.problem import shown
from windowkeeper_cli.policy.text_place import DEEPEST, DamagedTextError, Lines, Path, Place, Repeat, Tree

_DIGITS = 30
_BLANKS = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][-+]?[0-9]+)?")
_WORD = re.compile(r"-?[A-Za-z]+")
_WORDS = {"true": True, "false": False, "null": None}
_INSIDE = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_HALF = re.compile("[\ud800-\udfff]")


def read_json(text: str) -> Tree:
    """Return the tree of `text`; raise DamagedTextError at the first character that is no JSON."""
    return _Reader(text).document()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines = Lines(text)
        self.places: dict[Path, Place] = {}
        self.repeats: list[Repeat] = []

    def document(self) -> Tree:
        self.skip()
        if self.at == len(self.text):
            raise self.damaged("is empty", "write {} for a policy that is all defaults")
        value = self.value((), 0)
        self.skip()
        if self.at < len(self.text):
            raise self.damaged(f"{self.here()} follows the end of the document", "remove it")
        return Tree(value, self.places, tuple(self.repeats))

    def value(self, path: Path, depth: int) -> object:
        if depth > DEEPEST:
            raise self.damaged(f"is nested more than {DEEPEST} levels deep", "a policy has three levels")
        start = self.text[self.at : self.at + 1]
        if start == "{":
            return self.members(path, depth)
        if start == "[":
            return self.elements(path, depth)
        if start == '"':
            return self.string()
        return self.word() if start.isalpha() or self.text[self.at : self.at + 2] == "-I" else self.number()

    def members(self, path: Path, depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        self.step()
        if self.take("}"):
            return found
        while True:
            place = self.lines.place(self.at)
            if self.text[self.at : self.at + 1] != '"':
                raise self.damaged(f"{self.here()} stands where a key in double quotes is needed", self.key_hint())
            key = self.string()
            where = (*path, key)
            if key in found:
                self.repeats.append(Repeat(where, place, self.places[where].line))
            self.places[where] = place
            self.skip()
            self.demand(":")
            found[key] = self.value(where, depth + 1)
            self.skip()
            if self.take("}"):
                return found
            self.demand(",")

    def elements(self, path: Path, depth: int) -> list[object]:
        found: list[object] = []
        self.step()
        if self.take("]"):
            return found
        while True:
            where = (*path, len(found))
            self.places[where] = self.lines.place(self.at)
            found.append(self.value(where, depth + 1))
            self.skip()
            if self.take("]"):
                return found
            self.demand(",")

    def string(self) -> str:
        start = self.at
        match = _INSIDE.match(self.text, start)
        self.at = match.end() if match else start
        if not self.take('"'):
            raise self.damaged(*self.string_fault())
        value = str(json.loads(self.text[start : self.at]))
        half = _HALF.search(value)
        if half:
            self.at = start
            raise self.damaged(f"a text holds half a character ({shown(half[0])})", "write both halves, or neither")
        return value

    def string_fault(self) -> tuple[str, str]:
        """Return what is wrong with a text at the character where it stopped being one, and what to do."""
        char = self.text[self.at : self.at + 1]
        if char == "\\":
            return "a text holds a backslash that begins no escape of JSON", "double it"
        if char in ("", "\n", "\r"):
            return "a text does not end on its line", "close it with a double quote, or write \\n for a line end"
        return f"a text holds the control character {shown(char)}", "write it as an escape"

    def word(self) -> bool | None:
        match = _WORD.match(self.text, self.at)
        word = match[0] if match else ""
        if word not in _WORDS:
            todo = "numbers are finite" if word.lstrip("-") in ("NaN", "Infinity") else "put a text in double quotes"
            raise self.damaged(f"{shown(word) or self.here()} is no JSON value", todo)
        self.at += len(word)
        return _WORDS[word]

    def number(self) -> int | float:
        match = _NUMBER.match(self.text, self.at)
        if not match:
            raise self.damaged(f"{self.here()} stands where a value is needed", self.value_hint())
        digits = match[0]
        if len(digits) > _DIGITS:
            raise self.damaged(f"a number has {len(digits):,} characters", f"write it with {_DIGITS} at most")
        if match["fraction"] is None and match["exponent"] is None:
            self.at = match.end()
            return int(digits)
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            raise self.damaged(f"the number {digits} is too large", "numbers are finite")
        self.at = match.end()
        return value

    def skip(self) -> None:
        match = _BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def step(self) -> None:
        self.at += 1
        self.skip()

    def take(self, char: str) -> bool:
        if self.text[self.at : self.at + 1] != char:
            return False
        self.at += 1
        return True

    def demand(self, char: str) -> None:
        if self.text[self.at : self.at + 1] != char:
            raise self.damaged(f'{self.here()} stands where "{char}" is needed', "mend it")
        self.step()

    def here(self) -> str:
        """Return in words what stands at the reader's place."""
        char = self.text[self.at : self.at + 1]
        return f'"{shown(char)}"' if char else "the end of the file"

    def key_hint(self) -> str:
        char = self.text[self.at : self.at + 1]
        if char == "}":
            return "remove the comma before it"
        return "JSON has no comments; TOML has" if char in "/#" and char else "mend it"

    def value_hint(self) -> str:
        char = self.text[self.at : self.at + 1]
        if char in "]}" and char:
            return "remove the comma before it, or write a value"
        return "JSON has no comments; TOML has" if char in "/#" and char else "mend it"

    def damaged(self, what: str, todo: str) -> DamagedTextError:
        return DamagedTextError(self.lines.place(self.at), what, todo)
