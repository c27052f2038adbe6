"""Which pages are there, and which one is meant by a name?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from windowkeeper_cli.cli.application import application, context_of
from windowkeeper_cli.cli.commands import summary_of
from windowkeeper_cli.cli.manual.command import PROGRAM, command_page, command_ref
from windowkeeper_cli.cli.manual.page import Page, Ref
from windowkeeper_cli.model.errors import UsageError

TOPICS = (
    (Ref("windowkeeper-ledger", 5), "ledger", ("explain",)),
    (Ref("windowkeeper-policy", 5), "policy", ("policy", "explain", "replay", "diff", "check")),
    (Ref("windowkeeper-transcript", 5), "transcript", ("info",)),
    (Ref("windowkeeper-rules", 7), "rules", ("rules", "explain", "refusals", "gaps", "check")),
)
"""The pages that are no command's: its name, its module, and the commands whose pages name it."""


def refs() -> tuple[Ref, ...]:
    """Return the name of every page, by section."""
    return (PROGRAM, *(command_ref(path) for path, _, _ in commands()), *(ref for ref, _, _ in TOPICS))


def short_name(ref: Ref) -> str:
    """Return what `ref_named` takes for a page, as short as it can be."""
    name = ref.name.removeprefix(f"{PROGRAM.name}-")
    return name if ref.number == PROGRAM.number else f"{name}.{ref.number}"


def page_of(ref: Ref) -> Page:
    """Return the page of that name, made from the texts in the code."""
    if ref == PROGRAM:
        return program()
    for topic, module, _ in TOPICS:
        if topic == ref:
            made: Page = getattr(import_module(f"{__package__}.{module}"), f"{module}_page")(ref)
            return made
    return next(_command(path, command, context) for path, command, context in commands() if command_ref(path) == ref)


def ref_named(text: str) -> Ref:
    """Return the page that `text` names: explain, policy.5, windowkeeper-policy(5), policy show.

    Of several sections the first has it. Raises UsageError naming the nearest pages.
    """
    known = refs()
    wanted = text.strip().replace("(", ".").removesuffix(")").replace(" ", "-")
    for name in (wanted, f"windowkeeper-{wanted}"):
        for ref in known:
            if name in (ref.name, ref.file):
                return ref
    from difflib import get_close_matches

    near = get_close_matches(wanted, [ref.name.removeprefix("windowkeeper-") for ref in known], 3, 0.65)
    meant = f"did you mean {' or '.join(dict.fromkeys(near))}?" if near else f"known: {', '.join(map(str, known))}"
    raise UsageError(f"no manual page {text}", meant)


def program() -> Page:
    """Return the page of the program."""
    from windowkeeper_cli.cli.manual.program import program_page

    return program_page(tuple(ref for ref in refs() if ref != PROGRAM))


def _command(path: str, command: Any, context: Any) -> Page:
    name = path.split(" ")[1]
    beside = tuple(ref for ref, _, commands in TOPICS if name in commands)
    group = (command_ref(f"windowkeeper {name}"),) if path.count(" ") > 1 else ()
    return command_page(command.said(context), command.help if group else summary_of(name), (*group, *beside))


@cache
def commands() -> tuple[tuple[str, Any, Any], ...]:
    """Return every command: the words that call it, the library's command, its context; a group before its own."""
    return tuple(_below_the_root())


def _below_the_root() -> Iterator[tuple[str, Any, Any]]:
    root = application()
    context = context_of(root, None)
    waiting = [(root.get_command(context, name), context) for name in reversed(root.list_commands(context))]
    while waiting:
        command, parent = waiting.pop()
        inner = context_of(command, parent)
        yield inner.command_path, command, inner
        if hasattr(command, "list_commands"):
            waiting += [(command.get_command(inner, name), inner) for name in reversed(command.list_commands(inner))]
