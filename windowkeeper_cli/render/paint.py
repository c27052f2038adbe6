"""Which colour a tone has on a terminal."""

from __future__ import annotations

from functools import cache
from io import StringIO

from rich.console import Console
from rich.text import Text

from windowkeeper_cli.render.grid import Span
from windowkeeper_cli.report.sheet import BAD, DIM, GOOD, PLAIN, STRONG, WARN

TONES = {GOOD: "green", WARN: "yellow", BAD: "bold red", DIM: "dim", STRONG: "bold", PLAIN: ""}


def painted(line: list[Span]) -> str:
    """Return a line with the escape sequences of its tones; its texts are never read as markup."""
    while line and not line[-1][0].strip(" "):
        line = line[:-1]
    if line:
        line = [*line[:-1], (line[-1][0].rstrip(" "), line[-1][1])]
    console = _console()
    with console.capture() as capture:
        text = Text.assemble(*((part, TONES[tone]) for part, tone in line), end="")
        console.print(text, end="", soft_wrap=True, markup=False, highlight=False, emoji=False)
    return capture.get()


@cache
def _console() -> Console:
    return Console(
        file=StringIO(),
        force_terminal=True,
        color_system="standard",
        no_color=False,
        legacy_windows=False,
        width=10_000,
        _environ={},
    )
