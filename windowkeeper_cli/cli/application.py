"""The typer application: commands imported on use, help as plain text with our own headings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from windowkeeper_cli.cli.commands import COMMANDS, summary_of
from windowkeeper_cli.model.value import NamedTuple

if TYPE_CHECKING:
    from windowkeeper_cli.cli.command_help import CommandHelp


class About(NamedTuple):
    """What a command says of itself besides its options: its formats, and what its exit code 1 means."""

    formats: tuple[str, ...] = ()
    fails: str = ""


class PlainCommand(TyperCommand):
    """A command whose help is plain text: usage, what it answers, options by heading, formats, examples."""

    about = About()

    def said(self, ctx: Any) -> CommandHelp:
        """Return what is said about the command, for help and manual."""
        from windowkeeper_cli.cli.command_help import help_of

        return help_of(self, ctx, self.about.formats, self.about.fails)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help text of the command."""
        from windowkeeper_cli.cli.help_text import help_text

        formatter.write(help_text(self.said(ctx)))


class PlainGroup(TyperGroup):
    """A group of commands with plain help."""

    def said(self, ctx: Any) -> CommandHelp:
        """Return what is said about the group, for help and manual."""
        from windowkeeper_cli.cli.command_help import group_help

        return group_help(self, ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help text of the group."""
        from windowkeeper_cli.cli.help_text import help_text

        formatter.write(help_text(self.said(ctx)))


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


def command_app(
    function: FunctionType | Callable[..., object], *examples: str, formats: Sequence[str] = (), fails: str = ""
) -> typer.Typer:
    """Return an application with the one command `function`; help ends with `examples`.

    `formats` are those of its -f, and `fails` says what its exit code 1 means, empty where it has none.
    """
    app = _typer()
    app.command(cls=_plain(formats, fails), epilog="\n".join(examples))(function)
    return app


def group_app(help_line: str) -> typer.Typer:
    """Return an application for a group of commands; each is added with `add_to`."""
    app = _typer(cls=PlainGroup, help=help_line, no_args_is_help=False)
    app.callback()(_nothing)
    return app


def add_to(
    app: typer.Typer,
    name: str,
    function: Callable[..., object],
    help_line: str,
    *examples: str,
    formats: Sequence[str] = (),
    fails: str = "",
) -> None:
    """Add a command to a group; `formats` and `fails` as for `command_app`."""
    app.command(name, cls=_plain(formats, fails), help=help_line, epilog="\n".join(examples))(function)


def _plain(formats: Sequence[str], fails: str) -> type[PlainCommand]:
    return type("PlainCommand", (PlainCommand,), {"about": About(tuple(formats), fails)})


def application() -> Any:
    """Return the whole program as one command of the library."""
    app = _typer(cls=Commands)
    app.callback()(_root)
    return get_command(app)


def context_of(command: Any, parent: Any) -> Any:
    """Return the context in which help speaks of a command, inside that of the group which holds it."""
    name = command.name if parent else "windowkeeper"
    return typer.Context(command, info_name=name, parent=parent, **command.context_settings)


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


def _script(shell: str | None) -> None:
    if shell is not None:
        from windowkeeper_cli.cli.completion import SHELLS

        typer.echo(SHELLS.module(shell).SCRIPT, nl=False)
        raise typer.Exit()


def _root(
    _asked: Annotated[bool, typer.Option("--version", is_eager=True, callback=_version)] = False,
    _shell: Annotated[
        str | None, typer.Option("--show-completion", metavar="SHELL", is_eager=True, callback=_script)
    ] = None,
) -> None:
    return
