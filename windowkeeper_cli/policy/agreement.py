"""Do the values of a policy agree with each other, and do the names in it exist?"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence

from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.policy.keys import KEYS, value_of
from windowkeeper_cli.policy.problem import nearest, shown


class Disagreement(NamedTuple):
    """Keys that do not go together (or one that is wrong by itself): what is wrong, what to do.

    `part` is the list element or the name inside the keys; `by` are other keys that say where the fault stands.
    """

    keys: tuple[str, ...]
    what: str
    todo: str
    part: str | int | None = None
    by: tuple[str, ...] = ()


class Rule(NamedTuple):
    """One rule over several keys: `broken` says whether they disagree, `what` says so in words."""

    keys: tuple[str, ...]
    broken: Callable[[Settings], bool]
    what: Callable[[Settings], str]
    todo: str


RULES = (
    Rule(
        ("budget.max", "budget.reserve"),
        lambda its: its.budget.limit <= 0,
        lambda its: f"nothing is left of max {its.budget.max} after reserve {its.budget.reserve}",
        "make max larger than reserve",
    ),
    Rule(
        ("budget.target", "budget.max", "budget.reserve"),
        lambda its: its.budget.limit > 0 and its.budget.goal > its.budget.limit,
        lambda its: (
            f"target {its.budget.goal} is over the limit {its.budget.limit}"
            f" (max {its.budget.max} - reserve {its.budget.reserve})"
        ),
        "lower the target, or raise max",
    ),
    Rule(
        ("toolResults.keepHead", "toolResults.keepTail"),
        lambda its: its.tool_results.keep_head + its.tool_results.keep_tail >= 1,
        lambda its: (
            f"keepHead {its.tool_results.keep_head} + keepTail {its.tool_results.keep_tail} leaves nothing to cut"
        ),
        "make their sum less than 1",
    ),
)


def disagreements(
    settings: Settings, strategies: Sequence[str], figures: Sequence[str] | None, *, complete: bool = True
) -> Iterator[Disagreement]:
    """Yield everything that is wrong between keys, or with a name, a pattern or a missing key.

    `figures` are the names that `check` may bound; None where they are not known here. A missing key is wrong only
    in a policy that must be `complete`.
    """
    for rule in RULES:
        if rule.broken(settings):
            yield Disagreement(rule.keys, rule.what(settings), rule.todo)
    if settings.strategy not in strategies:
        yield Disagreement(
            ("strategy",), f'there is no strategy "{shown(settings.strategy)}"', _instead(settings.strategy, strategies)
        )
    if complete:
        yield from _missing(settings)
    yield from _patterns(settings)
    yield from _bounds(settings, figures)


def _instead(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"


def _missing(settings: Settings) -> Iterator[Disagreement]:
    for key in KEYS:
        if key.required_by == settings.strategy and key.required_by and value_of(settings, key) is None:
            what = f"is not given, and {key.required_by} has no default for it"
            yield Disagreement(
                (key.path,), what, f"write {key.kind.allowed}, in the file or by --set {key.path}=N", by=("strategy",)
            )


def _patterns(settings: Settings) -> Iterator[Disagreement]:
    for number, pattern in enumerate(settings.protect.patterns):
        what = _pattern_fault(pattern)
        if what:
            yield Disagreement(
                ("protect.patterns",), f'the regular expression "{shown(pattern)}" {what}', "mend it", number
            )


def _pattern_fault(pattern: str) -> str:
    """Return what is wrong with a regular expression, empty where nothing is.

    One that Python only warns about is refused: its meaning is going to change with the Python version.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except re.error as error:
        place = f" at character {error.pos + 1}" if error.pos is not None else ""
        return f"does not compile: {shown(error.msg)}{place}"
    except Warning as warning:
        return f"may change its meaning: {shown(str(warning))}"
    except (OverflowError, RecursionError, MemoryError):
        return "does not compile: it is too large"
    return ""


def _bounds(settings: Settings, figures: Sequence[str] | None) -> Iterator[Disagreement]:
    check = settings.check
    for word, bounds in (("max", check.max), ("min", check.min)):
        for name in bounds:
            if figures is not None and name not in figures:
                yield Disagreement((f"check.{word}",), "there is no such figure", _instead(name, figures), name)
    for name in check.min:
        if name in check.max and check.min[name] > check.max[name]:
            what = f"{shown(name)} must be at least {check.min[name]:g} and at most {check.max[name]:g}"
            yield Disagreement(("check.min", "check.max"), what, "change one of them", name)
