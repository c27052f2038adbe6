"""How is a fault of a policy told: where it stands, which key, what is wrong, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from windowkeeper_cli.model.errors import PolicyError
from windowkeeper_cli.model.value import NamedTuple

SHOWN_PROBLEMS = 100
_SHOWN_CHARS = 60
_ESCAPED = (
    *range(0x20),
    *range(0x7F, 0xA1),
    0xAD,
    0x61C,
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xD800, 0xE000),
    0xFEFF,
    *range(0xFFF0, 0xFFFC),
    *range(0xE0000, 0xE0080),
)
_ESCAPES = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in _ESCAPED}


class Problem(NamedTuple):
    """One fault: `where` names the file, line and column or the `--set`; `order` sorts the faults of a policy."""

    order: tuple[int, int]
    where: str
    path: str
    what: str
    todo: str

    def __str__(self) -> str:
        """Return the one line that a user reads."""
        place = f"{self.where}: {self.path}" if self.path else self.where
        return f"{place}: {self.what}; {self.todo}"


def error_of(problems: Iterable[Problem]) -> PolicyError:
    """Return the error that holds every problem once, in the order of the file, then of the `--set`s."""
    lines = list(dict.fromkeys(str(problem) for problem in sorted(problems)))
    if len(lines) > SHOWN_PROBLEMS:
        more = len(lines) - SHOWN_PROBLEMS
        lines = [*lines[:SHOWN_PROBLEMS], f"and {more:,} more problems; mend these first"]
    return PolicyError(tuple(lines))


def shown(text: str, chars: int = _SHOWN_CHARS) -> str:
    """Return `text` cut to `chars` characters, with control, direction and invisible characters escaped."""
    cut = text if len(text) <= chars else text[: chars - 1] + "…"
    return cut.translate(_ESCAPES)


def nearest(name: str, known: Sequence[str], count: int = 1) -> tuple[str, ...]:
    """Return up to `count` of the `known` names that `name` may have meant, the nearest first."""
    by_letters: dict[str, list[str]] = {}
    for candidate in known:
        by_letters.setdefault(_letters(candidate), []).append(candidate)
    found = get_close_matches(_letters(name), list(by_letters), n=count, cutoff=0.6)
    return tuple(candidate for letters in found for candidate in by_letters[letters])[:count]


def _letters(name: str) -> str:
    """Return what two spellings of a name share: max_tokens_each, maxTokensEach and max-tokens-each are one."""
    return "".join(char for char in name[:64] if char.isascii() and (char.isalnum() or char == ".")).lower()
