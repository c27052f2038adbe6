"""How does a page read as plain text, where no viewer of manuals is at hand or a pipe reads it?"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from windowkeeper_cli.cli.manual.page import Code, Heading, Listed, Page, See, Text, Usage

INDENT, INNER = 5, 11
NARROWEST = 40


def plain(page: Page, width: int) -> str:
    """Return the page's text, wrapped to `width` columns."""
    width = max(width, NARROWEST)
    lines = [f"{page.ref}", "", "NAME", *_wrapped(f"{page.ref.name} - {page.what}", INDENT, width)]
    for section in page.sections:
        lines += ["", section.title]
        before = None
        for block in section.blocks:
            lines += [""] if before and (type(before), type(block)) not in _CLOSE else []
            lines += _WRITERS[type(block)](block, width)
            before = block
    return "\n".join(lines) + "\n"


def _text(block: Text, width: int) -> Iterator[str]:
    return _wrapped(block.text, INDENT, width)


def _heading(block: Heading, width: int) -> Iterator[str]:
    return _wrapped(block.text, INDENT - 2, width)


def _listed(block: Listed, width: int) -> Iterator[str]:
    for name, text in block.entries:
        yield " " * INDENT + name
        yield from _wrapped(text, INNER, width)


def _code(block: Code, width: int) -> Iterator[str]:  # noqa: ARG001
    return (f"{'':<{INNER}}{line}".rstrip() for line in block.lines)


def _usage(block: Usage, width: int) -> Iterator[str]:
    return _wrapped(" ".join((block.path, *block.arguments)), INDENT, width)


def _see(block: See, width: int) -> Iterator[str]:
    return _wrapped(", ".join(str(ref) for ref in block.refs), INDENT, width)


_WRITERS: Mapping[type, Callable[[Any, int], Iterator[str]]] = {
    Text: _text,
    Heading: _heading,
    Listed: _listed,
    Code: _code,
    Usage: _usage,
    See: _see,
}


_CLOSE = ((Heading, Text), (Heading, Listed), (Usage, Usage))
"""What stands under the block before it without a blank line."""


def _wrapped(text: str, indent: int, width: int) -> Iterator[str]:
    margin = " " * indent
    return iter(
        textwrap.wrap(
            text, width, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False, break_long_words=False
        )
    )
