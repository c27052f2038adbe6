"""What may a policy value be: the kinds of values, in words and in figures."""

from __future__ import annotations

from windowkeeper_cli.model.value import dataclass

LARGEST = 1_000_000_000_000
"""The largest number a policy may hold: far over any window, and exact in every reader of JSON."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of value: `form` is its type, the rest its bounds.

    `above` excludes `least` itself; `or_false` also takes `false`; `choices` are the only texts of a `choice`.
    """

    form: str
    least: int = 0
    most: int = LARGEST
    above: bool = False
    or_false: bool = False
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """Return in words what a value may be."""
        words = _ALLOWED[self.form].format(range=self._range, choices=_listed(self.choices))
        return f"{words}, or false" if self.or_false else words

    @property
    def allowed_inside(self) -> str:
        """Return in words what an element of a list, or a value of an object, may be."""
        return _INSIDE[self.form].format(range=self._range)

    @property
    def _range(self) -> str:
        if self.most < LARGEST:
            return f"over {self.least}, at most {self.most}" if self.above else f"from {self.least} to {self.most}"
        if self.above:
            return f"over {self.least}"
        return f"of {self.least} or more"


_ALLOWED = {
    "flag": "true or false",
    "whole": "a whole number {range}",
    "number": "a number {range}",
    "name": "the name of a strategy",
    "choice": "{choices}",
    "texts": "a list of texts, none of them empty",
    "patterns": "a list of regular expressions, none of them empty",
    "wholes": "an object that gives names a whole number {range}",
    "numbers": "an object that gives names a number {range}",
}
_INSIDE = {
    "texts": "a text that is not empty",
    "patterns": "a regular expression that is not empty",
    "wholes": "a whole number {range}",
    "numbers": "a number {range}",
}
MAPS = frozenset({"wholes", "numbers"})
LISTS = frozenset({"texts", "patterns"})

FLAG = Kind("flag")
NAME = Kind("name")
COUNT = Kind("whole")
COUNT_FROM_1 = Kind("whole", least=1)
COUNT_OR_FALSE = Kind("whole", or_false=True)
NUMBER = Kind("number")
NUMBER_OVER_0 = Kind("number", above=True)
SHARE = Kind("number", most=1)
TEXTS = Kind("texts")
PATTERNS = Kind("patterns")
COUNTS_BY_NAME = Kind("wholes")
NUMBERS_BY_NAME = Kind("numbers")


def choice(*choices: str) -> Kind:
    """Return the kind whose values are exactly `choices`."""
    return Kind("choice", choices=choices)


def _listed(words: tuple[str, ...]) -> str:
    return " or ".join(f'"{word}"' for word in words)
