"""What does `--set KEY=VALUE` change: the words of a command line as policy values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.policy.json_text import read_json
from windowkeeper_cli.policy.keys import BY_PATH, KEYS, SECTIONS, Key, keys_of
from windowkeeper_cli.policy.kinds import MAPS
from windowkeeper_cli.policy.problem import Problem, nearest, shown
from windowkeeper_cli.policy.text_place import DamagedTextError, Path

OPTION = "--set"
_SET = 10**9
"""Orders the problems of `--set` after those of any line of a file."""


class Override(NamedTuple):
    """One `--set`: the place of its key, its value (None: as if the key were absent), and its own words."""

    path: Path
    value: object
    where: str
    order: tuple[int, int]

    @property
    def key(self) -> str:
        """Return the key that is set, or the key of the object in which a name is."""
        return ".".join(str(part) for part in self.path[:2])


class Overrides(NamedTuple):
    """Every `--set` that could be read, and what is wrong with the others."""

    given: tuple[Override, ...]
    problems: tuple[Problem, ...]


def read_overrides(words: Sequence[str]) -> Overrides:
    """Return the overrides in `words`; a key that is set twice is a problem, never the silent last one."""
    given: dict[Path, Override] = {}
    problems: list[Problem] = []
    for number, word in enumerate(words):
        where, order = f"{OPTION} {shown(word)}", (_SET, number)
        name, equals, text = word.partition("=")
        path = _path(name.strip())
        if not equals or path is None:
            advice = _advice(name.strip()) if equals else "write KEY=VALUE, as in toolResults.maxTokensEach=2000"
            what = "is a section" if name.strip() in SECTIONS else "unknown key"
            what = what if equals else "no value is given"
            problems.append(Problem(order, where, shown(name.strip()), what, advice))
            continue
        try:
            value = _value(BY_PATH[".".join(path[:2])], len(path) > 2, text.strip())
        except DamagedTextError as error:
            problems.append(Problem(order, where, ".".join(path), error.what, error.todo))
            continue
        if path in given:
            what = f"is set twice (also by {given[path].where})"
            problems.append(Problem(order, where, ".".join(path), what, "keep one of them"))
        given[path] = Override(path, value, where, order)
    return Overrides(tuple(given.values()), tuple(problems))


def apply_overrides(values: Mapping[str, object], overrides: Sequence[Override]) -> dict[str, object]:
    """Return `values` with every override in its place; where a section is no object the fault stays as it is."""
    changed: dict[str, object] = dict(values)
    for override in overrides:
        _put(changed, override.path, override.value)
    return changed


def _put(holder: dict[str, object], path: Path, value: object) -> None:
    name = str(path[0])
    if len(path) > 1:
        inner = holder.get(name)
        if inner is None or isinstance(inner, dict):
            holder[name] = copy = dict(inner or {})
            _put(copy, path[1:], value)
    elif value is None:
        holder.pop(name, None)
    else:
        holder[name] = value


def _path(name: str) -> tuple[str, ...] | None:
    """Return the place of a key; behind the key of an object all the rest is one name (`check.max.gaps.reRead`)."""
    if name in BY_PATH:
        return tuple(name.split("."))
    for key in KEYS:
        if key.kind.form in MAPS and name.startswith(f"{key.path}.") and len(name) > len(key.path) + 1:
            return (*key.path.split("."), name[len(key.path) + 1 :])
    return None


def _advice(name: str) -> str:
    if name in SECTIONS:
        return f"set one of its keys: {', '.join(key.name for key in keys_of(name))}"
    near = nearest(name, list(BY_PATH)) or tuple(key.path for key in KEYS if nearest(name, [key.name]))
    return f"did you mean {near[0]}?" if near else "`windowkeeper policy show` lists the keys"


def _value(key: Key, inside: bool, text: str) -> object:
    """Return the value that `text` stands for; raise DamagedTextError where a list or an object is damaged."""
    form = "whole" if inside else key.kind.form
    if text == "null":
        return None
    if form in ("name", "choice"):
        return _quoted(text)
    if form == "texts" and not text.startswith("["):
        return [_quoted(part.strip()) for part in text.split(",")] if text else []
    if form == "patterns" and not text.startswith("["):
        return [text] if text else []
    try:
        return read_json(text).value
    except DamagedTextError:
        if text[:1] in ("[", "{", '"'):
            raise
        return text


def _quoted(text: str) -> object:
    """Return a text, its double quotes taken off where it has them."""
    if text[:1] != '"':
        return text
    return read_json(text).value
