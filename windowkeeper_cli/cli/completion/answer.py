"""What may come next in a command that is being typed: commands, options, or the values of one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from windowkeeper_cli.cli.commands import COMMANDS, ENTRIES
from windowkeeper_cli.cli.completion.candidate import Candidate, offered
from windowkeeper_cli.cli.front_page import OPTIONS
from windowkeeper_cli.model.value import NamedTuple

if TYPE_CHECKING:
    from windowkeeper_cli.cli.command_help import CommandHelp


def answer(words: Sequence[str]) -> list[Candidate]:
    """Return what the last word may become, after the words before it; nothing where a file may stand."""
    *before, incomplete = words or ("",)
    names = [word for word in before if not word.startswith("-")]
    if not names:
        if before and before[-1] == OPTIONS[0][0]:
            from windowkeeper_cli.cli.completion import SHELLS

            return offered(map(Candidate, SHELLS.names), incomplete)
        known = OPTIONS if incomplete.startswith("-") else tuple((name, text) for name, _, text in ENTRIES)
        return offered((Candidate(*one) for one in known), incomplete)
    if names[0] not in COMMANDS.names:
        return []
    return _inside(names[0], before[before.index(names[0]) + 1 :], incomplete)


class _Place(NamedTuple):
    """Where the cursor is: in the value of an option, or at a positional argument, counted from 0."""

    option: Any = None
    position: int = 0
    only_words: bool = False


def _inside(name: str, before: Sequence[str], incomplete: str) -> list[Candidate]:
    """Return what may come inside a command of the program."""
    from windowkeeper_cli.cli.application import application, context_of

    root = application()
    context = context_of(root, None)
    command, rest = root.get_command(context, name), list(before)
    context = context_of(command, context)
    while hasattr(command, "list_commands"):
        word = next((word for word in rest if not word.startswith("-")), None)
        inner = None if word is None else command.get_command(context, word)
        if word is None and not incomplete.startswith("-"):
            inside = ((name, command.get_command(context, name).help) for name in command.list_commands(context))
            return offered((Candidate(name, text or "") for name, text in inside), incomplete)
        if word is None or inner is None:
            return []
        rest = rest[rest.index(word) + 1 :]
        command, context = inner, context_of(inner, context)
    return _of_command(command, context, _place(command.get_params(context), rest), incomplete)


def _place(params: Sequence[Any], before: Sequence[str]) -> _Place:
    """Return where the words before it leave the cursor."""
    options = {name: param for param in params for name in param.opts if name.startswith("-")}
    pending, position, only_words = None, 0, False
    for word in before:
        if pending is not None:
            pending = None
        elif word == "--" and not only_words:
            only_words = True
        elif word.startswith("-") and word != "-" and not only_words:
            param = options.get(word)
            pending = param if param is not None and _takes_a_value(param) else None
        else:
            position += 1
    return _Place(pending, position, only_words)


def _of_command(command: Any, context: Any, place: _Place, incomplete: str) -> list[Candidate]:
    params = command.get_params(context)
    if place.option is not None:
        return offered(_values(command, context, place.option, incomplete), incomplete)
    if incomplete.startswith("-") and not place.only_words:
        name, given, value = incomplete.partition("=")
        if given:
            found = [param for param in params if name in param.opts and _takes_a_value(param)]
            values = (one for param in found for one in _values(command, context, param, value))
            return offered((Candidate(f"{name}={one.value}", one.text) for one in values), incomplete)
        return offered(_names(command.said(context)), incomplete)
    arguments = [param for param in params if param.param_type_name == "argument"]
    if place.position >= len(arguments) and not (arguments and arguments[-1].nargs == -1):
        return []
    return offered(
        _values(command, context, arguments[min(place.position, len(arguments) - 1)], incomplete), incomplete
    )


def _names(said: CommandHelp) -> Iterable[Candidate]:
    """Yield the long names of the options, each with the beginning of its text."""
    for _, entries in said.options:
        for names, text in entries:
            brief = text.split(". ")[0].split("; ")[0].removesuffix(".")
            yield Candidate(names.split(", ")[-1].split(" ")[0], brief)


def _takes_a_value(param: Any) -> bool:
    return param.param_type_name == "option" and not param.is_flag and not param.count


def _values(command: Any, context: Any, param: Any, incomplete: str) -> Iterable[Candidate]:
    """Return the values of an option or argument; those of -f are the formats that the command has."""
    if "--format" in param.opts:
        return (Candidate(name, text) for name, text in command.said(context).formats)
    return (Candidate(str(item.value), str(item.help or "")) for item in param.shell_complete(context, incomplete))
