"""How a page may look where it goes: colour, width, encoding."""

from __future__ import annotations

from windowkeeper_cli.model.value import NamedTuple


class Style(NamedTuple):
    """`width` in terminal cells, None for no limit; `encoding` is that of the place written to."""

    color: bool = False
    width: int | None = None
    encoding: str = "utf-8"
