"""How is a page written in mdoc, the manual's markup that mandoc and groff both read?

Source: mdoc(7) and mandoc_char(7).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from windowkeeper_cli import __version__
from windowkeeper_cli.cli.manual.page import Block, Code, Heading, Listed, Page, See, Text, Usage

DAY = ("0.1.0", "November 30, 2026")
"""The version that the pages speak of and its day; a page has no clock."""
PROGRAM = "windowkeeper"
WIDTH = 78
_SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", '"': "\\(dq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}
_PLAIN = re.compile(r"\(?[A-Za-z]?[a-z]*\)?[,.;:]?")
_WHOLE = "\\%"
"""Before a word: it is not hyphenated. Only plain words are; a name that one copies is never cut."""
_SENTENCE = re.compile(r'(?<=[a-z0-9)"][.?!]) +(?=[A-Z])')


def mdoc(page: Page) -> str:
    """Return the page's source."""
    lines = [
        f".Dd {DAY[1]}",
        f".Dt {page.ref.name.upper()} {page.ref.number}",
        f".Os {PROGRAM} {__version__}",
        ".Sh NAME",
        f".Nm {page.ref.name}",
        f".Nd {_escaped(page.what)}",
    ]
    for section in page.sections:
        lines.append(f".Sh {section.title}")
        before: Block | None = None
        for block in section.blocks:
            if isinstance(block, Text) and before is not None and not isinstance(before, Heading):
                lines.append(".Pp")
            lines += _WRITERS[type(block)](block)
            before = block
    return "\n".join(lines) + "\n"


def _text(block: Text) -> Iterator[str]:
    return _prose(block.text)


def _heading(block: Heading) -> Iterator[str]:
    yield f".Ss {_words(block.text)}"


def _listed(block: Listed) -> Iterator[str]:
    yield ".Bl -tag -width Ds"
    for name, text in block.entries:
        yield f".It {_tag(name)}"
        yield from _prose(text)
    yield ".El"


def _code(block: Code) -> Iterator[str]:
    yield ".Bd -literal -offset indent"
    for line in block.lines:
        yield _line(line)
    yield ".Ed"


def _usage(block: Usage) -> Iterator[str]:
    program, *words = block.path.split(" ")
    yield f".Nm {program}"
    for word in words:
        yield f".Cm {_word(word)}"
    for argument in block.arguments:
        inner = argument.removeprefix("[").removesuffix("]")
        named = f"Ar {' | '.join(_word(part) for part in inner.replace('...', ' ...').split('|'))}"
        yield f".Op {named}" if inner != argument else f".{named}"


def _see(block: See) -> Iterator[str]:
    refs = sorted(block.refs, key=lambda ref: (ref.number, ref.name))
    for ref in refs:
        yield f".Xr {ref.name} {ref.number}{' ,' if ref is not refs[-1] else ''}"


_WRITERS: Mapping[type, Callable[[Any], Iterator[str]]] = {
    Text: _text,
    Heading: _heading,
    Listed: _listed,
    Code: _code,
    Usage: _usage,
    See: _see,
}


def _prose(text: str) -> Iterator[str]:
    """Yield a paragraph, each sentence on a new line as mdoc wants it, none long."""
    for sentence in _SENTENCE.split(text):
        for line in textwrap.wrap(sentence, WIDTH, break_on_hyphens=False, break_long_words=False):
            yield " ".join(_whole(word) for word in line.split(" "))


def _whole(word: str) -> str:
    """Return a word of a text; one that is a name stays in one piece."""
    plain = _PLAIN.fullmatch(word) and PROGRAM not in word
    return _line(word) if plain else f"{_WHOLE}{_escaped(word)}"


def _line(text: str) -> str:
    """Return a line of text that begins no request."""
    escaped = _escaped(text)
    return f"\\&{escaped}" if escaped.startswith((".", " ")) or not escaped else escaped


def _tag(name: str) -> str:
    """Return a list's tag: options as flags with their argument, anything else in bold."""
    if not name.startswith("-"):
        return f"Sy {_words(name)}"
    *flags, last = name.split(", ")
    option, _, argument = last.partition(" ")
    words = [f"Fl {_word(flag[1:])}" for flag in (*flags, option)]
    return " , ".join(words) + (f" Ar {_words(argument)}" if argument else "")


def _words(text: str) -> str:
    return " ".join(_word(word) for word in text.split(" "))


def _word(word: str) -> str:
    """Return a word of a macro line that is taken for no macro."""
    escaped = _escaped(word)
    return f"\\&{escaped}" if len(word) <= 3 and word.isascii() and word.isalpha() else escaped


def _escaped(text: str) -> str:
    """Return text with what roff would read or replace as its named characters."""
    return "".join(_SPECIAL.get(char) or (char if char.isascii() else f"\\[u{ord(char):04X}]") for char in text)
