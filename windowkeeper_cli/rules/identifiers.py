"""Identifiers: the names in a text that point at something that has a source."""

from __future__ import annotations

import re
from dataclasses import dataclass

from windowkeeper_cli.rules.well_known import WELL_KNOWN

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"


def _beyond_ascii_and(ascii_chars: str) -> str:
    """Return a character class of these ASCII characters and of everything beyond ASCII.

    It is written as what it leaves out: a class that names the whole of Unicode takes milliseconds to compile, and
    one that asks Unicode for letters changes with Python's version.
    """
    left_out = (chr(code) for code in range(0x80) if chr(code) not in ascii_chars)
    return f"[^{''.join(re.escape(char) for char in left_out)}]"


_RUN = re.compile(_beyond_ascii_and(_LETTERS + "./:@~%+#\\$&?=-") + "{3,300}")
_QUOTED = re.compile(r"""(["'`])([^\s"'`]{2,200})\1""")
_ENDS = ".,:;-?=&$#"
_LINE_REF = re.compile(r":[0-9]{1,6}(?:[-:][0-9]{1,6})?$")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,15}://[^/:]{1,200}(?::[0-9]|/.)")
_FILE = re.compile(_beyond_ascii_and(_LETTERS + ".~+@-") + r"{1,100}\.(?=[0-9]*[A-Za-z])[A-Za-z0-9]{1,8}")
_HASH = re.compile(r"(?=[A-Fa-f]*[0-9])[0-9A-Fa-f]{7,64}")
_WITH_DIGITS = re.compile(r"(?=(?:[^0-9]*[0-9]){2})(?=.*[A-Za-z0-9][-_:./#][A-Za-z0-9])[A-Za-z0-9#][A-Za-z0-9_:./#-]+")
_COMPOUND = re.compile(
    r"[A-Za-z_][A-Za-z0-9]*(?:(?:\.|::)[A-Za-z_][A-Za-z0-9_]*)+"
    r"|_*[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+_*"
    r"|[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*"
)
_NUMBERS = re.compile(r"[0-9./:-]+")
_INSIDE_CAPITAL = re.compile(r".+[A-Z]")


_APART = frozenset(["", *" \t\r\n\"'`()[]{}<>,;=|"])
"""Characters, and the ends of a text, that part a name from whatever stands beyond them."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name as it was written, and the `forms` under which it is looked for, each matched exactly.

    `is_path` lets a form stand behind a separator: a file is named by the end of its path.
    """

    name: str
    forms: tuple[str, ...]
    is_path: bool


def identifiers(text: str) -> tuple[Identifier, ...]:
    """Return the identifiers of a decoded text, each once, in order of appearance."""
    found: dict[str, tuple[int, Identifier]] = {}
    for match in _RUN.finditer(text):
        _take(found, match.start(), match.group(), quoted=False)
    for match in _QUOTED.finditer(text):
        _take(found, match.start(), match.group(2), quoted=True)
    return tuple(identifier for _, identifier in sorted(found.values(), key=lambda pair: pair[0]))


def stands_in(identifier: Identifier, text: str) -> bool:
    """Return whether the text holds the identifier, not inside a longer one."""
    is_path, forms = identifier.is_path, identifier.forms
    # The last form is the end of every other one, so that a text without it holds none.
    start = text.find(forms[-1])
    if start < 0:
        return False
    if _found(forms[-1], text, is_path, start):
        return True
    return any(_found(form, text, is_path, text.find(form)) for form in forms[:-1])


def _take(found: dict[str, tuple[int, Identifier]], at: int, raw: str, *, quoted: bool) -> None:
    if not quoted and raw.isascii() and raw.isalpha() and raw.islower():
        return
    name = _trimmed(raw)
    if len(name) < 3 or name in WELL_KNOWN or name.lower() in WELL_KNOWN or name in found:
        return
    is_path = _is_path(name)
    if is_path or _points(name) or (quoted and _points_when_quoted(name)):
        found[name] = (at, Identifier(name, _forms(name, is_path), is_path))


def _trimmed(raw: str) -> str:
    name = raw.rstrip(_ENDS).lstrip("=&?:;,-$")
    name = name.removeprefix("./")
    if "://" not in name and ("/" in name or _FILE.match(name)):
        name = _LINE_REF.sub("", name)
    return name.rstrip("/\\") if len(name) > 1 else name


def _is_path(name: str) -> bool:
    if "://" in name or _NUMBERS.fullmatch(name):
        return False
    if "/" in name or "\\" in name:
        segments = [part for part in re.split(r"[/\\]", name) if part]
        return len(segments) >= 2
    return bool(_FILE.fullmatch(name))


def _points(name: str) -> bool:
    return bool(
        _URL.match(name)
        or _HASH.fullmatch(name)
        or (_WITH_DIGITS.fullmatch(name) and not _is_number(name))
        or _COMPOUND.fullmatch(name)
    )


def _is_number(name: str) -> bool:
    return bool(_NUMBERS.fullmatch(name)) and not re.search(r"[0-9]{2}-[0-9]{2}|:", name)


def _points_when_quoted(name: str) -> bool:
    return (
        len(name) >= 16
        or any(char in "_./:-" for char in name[1:-1])
        or any("0" <= char <= "9" for char in name)
        or bool(_INSIDE_CAPITAL.match(name))
    )


def _forms(name: str, is_path: bool) -> tuple[str, ...]:
    if not is_path:
        return (name,)
    segments = [part for part in re.split(r"[/\\]", name) if part]
    if len(segments) <= 2:
        return (name,)
    separator = "/" if "/" in name else "\\"
    return name, separator.join(segments[-2:])


def _found(form: str, text: str, is_path: bool, start: int) -> bool:
    """Return whether a form stands free in a text where it is found first, at `start`, or behind that."""
    while start >= 0:
        end = start + len(form)
        # Nearly every name stands between two of these, and asking no further is several times cheaper.
        if (text[start - 1 : start] in _APART or _open_before(text, start, is_path)) and (
            text[end : end + 1] in _APART or _open_after(text, end)
        ):
            return True
        start = text.find(form, start + 1)
    return False


def _open_before(text: str, start: int, is_path: bool) -> bool:
    if start == 0:
        return True
    char = text[start - 1]
    if char in "/\\":
        return is_path
    if _is_letter(char):
        return False
    if text[max(start - 2, 0) : start] == "::":
        return start < 3 or not _is_letter(text[start - 3])
    return char not in "-." or start == 1 or not _is_letter(text[start - 2])


def _open_after(text: str, end: int) -> bool:
    if end >= len(text):
        return True
    char = text[end]
    if _is_letter(char):
        return False
    if text[end : end + 2] == "::":
        return end + 2 >= len(text) or not _is_letter(text[end + 2])
    return char not in "/\\.-" or end + 1 >= len(text) or not _is_letter(text[end + 1])


def _is_letter(char: str) -> bool:
    return char == "_" or "0" <= char <= "9" or "A" <= char <= "Z" or "a" <= char <= "z" or char >= "\x80"
