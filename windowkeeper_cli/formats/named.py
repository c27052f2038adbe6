"""Which of a file's transcripts does a name or a number mean?"""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.formats.unknown import counted
from windowkeeper_cli.model.errors import UsageError


def named(names: Iterable[str], wanted: str, noun: str, known: str | None = None) -> str:
    """Return the name that is, or alone begins with, `wanted`; raise UsageError where none or several do.

    The error calls one of them a `noun`, and lists all as the `known` ones.
    """
    names = list(names)
    fits = [name for name in names if name == wanted] or [name for name in names if name.startswith(wanted)]
    if len(fits) == 1:
        return fits[0]
    what = f"{wanted!r} begins {len(fits)} {noun}s" if fits else f"no {noun} {wanted!r}"
    raise UsageError(what, f"{known or f'{noun}s'}: {', '.join(names) or 'none'}")


def part_number(wanted: int | None, parts: int, noun: str = "part") -> int:
    """Return the number of the part that is asked for, by default the last; raise UsageError where there is none."""
    number = parts if wanted is None else wanted
    if not 1 <= number <= parts:
        raise UsageError(f"--part {number}: the log has {counted(parts, noun)}", f"give 1 to {parts:,}")
    return number
