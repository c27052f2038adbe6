"""What does the page of a command say? All that its help says."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.cli.command_help import CommandHelp, Entries
from windowkeeper_cli.cli.manual.page import Block, Code, Heading, Listed, Page, Ref, Section, See, Text, Usage, page

PROGRAM = Ref("windowkeeper", 1)


def command_ref(path: str) -> Ref:
    """Return the page of the command that is called by these words."""
    return Ref(path.replace(" ", "-"), 1)


def command_page(said: CommandHelp, what: str, beside: tuple[Ref, ...]) -> Page:
    """Return a command's page; `what` is its line in a list, `beside` are the pages that it names."""
    inner = tuple(command_ref(f"{said.path} {name}") for name, _ in said.commands)
    return page(
        command_ref(said.path),
        what,
        Section("SYNOPSIS", (Usage(said.path, said.usage),)),
        Section("DESCRIPTION", tuple(_description(said))),
        Section("FORMATS", _listed(said.formats)),
        Section("EXIT STATUS", _listed(said.exit_codes)),
        Section("EXAMPLES", (Code(said.examples),) if said.examples else ()),
        Section("SEE ALSO", (See((PROGRAM, *inner, *beside)),)),
    )


def _description(said: CommandHelp) -> Iterator[Block]:
    for paragraph in (said.summary, *said.paragraphs):
        yield Text(sentence(paragraph))
    for heading, entries in (("Arguments", said.arguments), ("Commands", said.commands), *said.options):
        if entries:
            yield Heading(heading)
            yield Listed(tuple((name, sentence(text)) for name, text in entries))


def _listed(entries: Entries) -> tuple[Block, ...]:
    return (Listed(tuple((name, sentence(text)) for name, text in entries)),) if entries else ()


def sentence(text: str) -> str:
    """Return a text with a capital and a full stop; one that ends as a sentence is left as it is."""
    return text if text.endswith((".", "?", "!")) else f"{text[:1].upper()}{text[1:]}."
