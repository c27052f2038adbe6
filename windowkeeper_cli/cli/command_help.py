"""What is said about a command: its usage, arguments, options, formats, exit codes and examples, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from windowkeeper_cli.cli.exit_codes import exit_codes
from windowkeeper_cli.cli.options import OUTPUT
from windowkeeper_cli.model.value import NamedTuple

Entries = tuple[tuple[str, str], ...]


class CommandHelp(NamedTuple):
    """All that is said about one command; `commands` only of a group of them, `options` by heading."""

    path: str
    summary: str
    paragraphs: tuple[str, ...]
    arguments: Entries
    usage: tuple[str, ...]
    commands: Entries
    options: tuple[tuple[str, Entries], ...]
    formats: Entries
    exit_codes: Entries
    examples: tuple[str, ...]


def help_of(command: Any, context: Any, formats: Sequence[str], fails: str) -> CommandHelp:
    """Return what is said about a command of the library, in the context of its call.

    `formats` are those that it names, `fails` says what its exit code 1 means, empty where it has none.
    """
    told = _formats(formats)
    path = context.command_path
    summary, *more = (command.help or "").split("\n\n")
    params = [param for param in command.params if param.param_type_name == "argument"]
    words = [_argument(param, context) for param in params]
    shown = [word if param.required else f"[{word}]" for word, param in zip(words, params, strict=True)]
    return CommandHelp(
        path=path,
        summary=" ".join(summary.split()),
        paragraphs=tuple(" ".join(text.split()) for text in more),
        arguments=tuple((word, param.help or "") for word, param in zip(words, params, strict=True)),
        usage=(*shown, "[OPTIONS]"),
        commands=(),
        options=_by_heading(command.get_params(context), told),
        formats=told,
        exit_codes=exit_codes(fails),
        examples=tuple((command.epilog or "").split("\n")) if command.epilog else (),
    )


def group_help(group: Any, context: Any) -> CommandHelp:
    """Return what is said about a group of commands; its examples are the last one of each."""
    commands = [(name, group.get_command(context, name)) for name in group.list_commands(context)]
    return CommandHelp(
        path=context.command_path,
        summary=group.help or "",
        paragraphs=(),
        arguments=(),
        usage=("COMMAND", "[OPTIONS]", "..."),
        commands=tuple((name, command.help or "") for name, command in commands),
        options=(),
        formats=(),
        exit_codes=(),
        examples=tuple(command.epilog.split("\n")[-1] for _, command in commands if command.epilog),
    )


def _argument(param: Any, context: Any) -> str:
    word = str(param.make_metavar(ctx=context))
    return f"{word}..." if param.nargs == -1 else word


def _by_heading(params: Sequence[Any], formats: Entries) -> tuple[tuple[str, Entries], ...]:
    """Return the options by heading, in the order of the command; those of the output, and --help, last."""
    headings: dict[str, list[tuple[str, str]]] = {}
    for param in params:
        if param.param_type_name == "option" and not getattr(param, "hidden", False):
            heading = getattr(param, "rich_help_panel", None) or OUTPUT
            headings.setdefault(heading, []).append(_option(cast(Any, param), formats))
    ordered = sorted(headings.items(), key=lambda pair: pair[0] == OUTPUT)
    return tuple((heading, tuple(entries)) for heading, entries in ordered)


def _option(option: Any, formats: Entries) -> tuple[str, str]:
    """Return an option's names, the short one first, and its text."""
    name = ", ".join(sorted(option.opts, key=len))
    text = "Show this text." if "--help" in option.opts else option.help or ""
    if "--format" in option.opts:
        text = f"{text} {', '.join(name for name, _ in formats)}."
    if not option.is_flag and not option.count:
        name += f" {option.metavar or 'VALUE'}"
    if isinstance(option.default, str) and option.default:
        text += f" Default: {option.default}."
    return name, text


def _formats(formats: Sequence[str]) -> Entries:
    if not formats:
        return ()
    from windowkeeper_cli.cli.output import known_formats
    from windowkeeper_cli.render import text_of

    return tuple((name, text_of(name)) for name in known_formats(formats))
