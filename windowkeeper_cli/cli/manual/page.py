"""What is a manual page: sections of blocks, without a word of markup."""

from __future__ import annotations

from windowkeeper_cli.cli.command_help import Entries
from windowkeeper_cli.model.value import NamedTuple


class Ref(NamedTuple):
    """The name of a page and its section of the manual: 1 commands, 5 files, 7 what there is to know."""

    name: str
    number: int

    def __str__(self) -> str:
        return f"{self.name}({self.number})"

    @property
    def file(self) -> str:
        """Return the name of the page's file."""
        return f"{self.name}.{self.number}"


class Text(NamedTuple):
    """A paragraph."""

    text: str


class Heading(NamedTuple):
    """A heading inside a section."""

    text: str


class Listed(NamedTuple):
    """Names, each with its text."""

    entries: Entries


class Code(NamedTuple):
    """Lines that stand as they are."""

    lines: tuple[str, ...]


class Usage(NamedTuple):
    """How a command is called: its words, then its arguments."""

    path: str
    arguments: tuple[str, ...]


class See(NamedTuple):
    """Other pages."""

    refs: tuple[Ref, ...]


Block = Text | Heading | Listed | Code | Usage | See


class Section(NamedTuple):
    """One section of a page; its title is in capitals."""

    title: str
    blocks: tuple[Block, ...]


class Page(NamedTuple):
    """One page: `what` is its line in a list of pages."""

    ref: Ref
    what: str
    sections: tuple[Section, ...]


def page(ref: Ref, what: str, *sections: Section) -> Page:
    """Return a page with the sections that hold something; `what` loses its full stop and its capital."""
    line = " ".join(what.split()).removesuffix(".")
    line = line if line[:2].isupper() else line[:1].lower() + line[1:]
    return Page(ref, line, tuple(section for section in sections if section.blocks))
