"""The typer application: commands imported on use, help as plain text with our own headings."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from types import FunctionType
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from windowkeeper_cli.cli.commands import COMMANDS, summary_of

GENERAL = "General"
EXAMPLES = "windowkeeper examples"
Writer = Callable[[str], None]


class PlainCommand(TyperCommand):
    """A command whose help is plain text: usage, what it answers, options by heading, examples."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help text of the command."""
        formatter.write(_command_help(self, ctx))


class PlainGroup(TyperGroup):
    """A group of commands with plain help."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help text of the group."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        width = max((len(name) for name, _ in commands), default=0)
        lines = [f"{ctx.command_path}: {self.help or ''}", "", "Usage", f"  {ctx.command_path} COMMAND [OPTIONS] ..."]
        lines += [
            "",
            "Commands",
            *(f"  {name:<{width}}  {command.help or ''}" for name, command in commands if command),
        ]
        examples = [command.epilog.split("\n")[-1] for _, command in commands if command and command.epilog]
        lines += ["", "Examples", *(f"  {example}" for example in examples)]
        lines += ["", f"See {ctx.command_path} COMMAND --help."]
        formatter.write("\n".join(lines) + "\n")


class Commands(TyperGroup):
    """The program: every name of the registry is a command, imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the commands in the order of the registry."""
        return list(COMMANDS.names)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return the command, or None where there is none of that name."""
        if cmd_name not in COMMANDS.names:
            return None
        module = COMMANDS.module(cmd_name)
        command = get_command(module.app)
        command.name = cmd_name
        if not command.help:
            command.help = summary_of(cmd_name)
        return command

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the front page."""
        from windowkeeper_cli.cli.front_page import front_page

        formatter.write(front_page())


def command_app(function: FunctionType | Callable[..., object], *examples: str) -> typer.Typer:
    """Return an application with the one command `function`; help ends with `examples`."""
    app = _typer()
    app.command(cls=PlainCommand, epilog="\n".join(examples))(function)
    return app


def group_app(help_line: str) -> typer.Typer:
    """Return an application for a group of commands; each is added with `add_to`."""
    app = _typer(cls=PlainGroup, help=help_line, no_args_is_help=False)
    app.callback()(_nothing)
    return app


def add_to(app: typer.Typer, name: str, function: Callable[..., object], help_line: str, *examples: str) -> None:
    """Add a command to a group."""
    app.command(name, cls=PlainCommand, help=help_line, epilog="\n".join(examples))(function)


def application() -> Any:
    """Return the whole program as one command of the library."""
    app = _typer(cls=Commands, add_completion=True)
    app.callback()(_root)
    return get_command(app)


def _typer(**settings: Any) -> typer.Typer:
    return typer.Typer(
        **{"add_completion": False, **settings},
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _nothing() -> None:
    return


def _version(asked: bool) -> None:
    if asked:
        from windowkeeper_cli import __version__

        typer.echo(f"windowkeeper {__version__}")
        raise typer.Exit()


def _root(
    _asked: Annotated[bool, typer.Option("--version", help="The version.", is_eager=True, callback=_version)] = False,
) -> None:
    return


def _command_help(command: TyperCommand, ctx: typer.Context) -> str:
    arguments = [param for param in command.params if not isinstance(param, TyperOption)]
    words = [str(param.make_metavar(ctx=ctx)) for param in arguments]
    words = [f"{name}..." if param.nargs == -1 else name for name, param in zip(words, arguments, strict=True)]
    shown = [name if param.required else f"[{name}]" for name, param in zip(words, arguments, strict=True)]
    width = min(max(shutil.get_terminal_size((80, 24)).columns, 60), 100)
    lines = [*_paragraphs(f"{ctx.command_path}: {command.help or ''}", width), "", "Usage"]
    lines.append("  " + " ".join([ctx.command_path, *shown, "[OPTIONS]"]))
    if arguments:
        entries = [(name, cast(Any, param).help or "") for name, param in zip(words, arguments, strict=True)]
        lines += ["", "Arguments", *_entries(entries, width)]
    for heading, options in _by_heading(command, ctx).items():
        lines += ["", heading, *_entries(options, width)]
    if command.epilog:
        lines += ["", "Examples", *(f"  {example}" for example in command.epilog.split("\n"))]
    return "\n".join(lines) + "\n"


def _by_heading(command: TyperCommand, ctx: typer.Context) -> dict[str, list[tuple[str, str]]]:
    headings: dict[str, list[tuple[str, str]]] = {}
    for param in command.get_params(ctx):
        if param.param_type_name != "option" or getattr(param, "hidden", False):
            continue
        option = cast(Any, param)
        heading = getattr(option, "rich_help_panel", None) or GENERAL
        name = ", ".join(option.opts)
        if not option.is_flag and not option.count:
            name += f" {option.metavar or 'VALUE'}"
        default = option.default
        text = option.help or ""
        if isinstance(default, str) and default:
            text += f" Default: {default}."
        headings.setdefault(heading, []).append((name, text))
    return dict(sorted(headings.items(), key=lambda pair: pair[0] == GENERAL))


def _paragraphs(text: str, width: int) -> list[str]:
    import textwrap

    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += ["", *textwrap.wrap(paragraph, width)]
    return lines[1:]


def _entries(entries: list[tuple[str, str]], width: int) -> list[str]:
    import textwrap

    column = min(max(len(name) for name, _ in entries), 26) + 2
    lines: list[str] = []
    for name, text in entries:
        wrapped = textwrap.wrap(text, width - column - 2) or [""]
        if len(name) > column - 2:
            lines.append(f"  {name}")
            lines += [f"  {'':<{column}}{line}" for line in wrapped]
        else:
            lines.append(f"  {name:<{column}}{wrapped[0]}")
            lines += [f"  {'':<{column}}{line}" for line in wrapped[1:]]
    return lines
