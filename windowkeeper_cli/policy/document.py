"""What does a policy file hold: its bytes as a tree of values, each with its place in the file."""

from __future__ import annotations

import re

from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.policy.json_text import read_json
from windowkeeper_cli.policy.problem import Problem, error_of, shown
from windowkeeper_cli.policy.text_place import DamagedTextError, Path, Place, Repeat, Tree

LARGEST_FILE = 1_000_000
TABLE = ("tool", "windowkeeper")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Document:
    """A policy file as it stands: `values` is its top object, `places` where each key and element stands."""

    name: str
    values: dict[str, object]
    places: dict[Path, Place]
    problems: tuple[Problem, ...] = ()

    def place(self, path: Path) -> Place:
        """Return the place of `path`, or of the nearest key above it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, Place(1, 1))

    def problem(self, path: Path, what: str, todo: str) -> Problem:
        """Return the problem of the key at `path`, with its line."""
        place = self.place(path)
        where = shown(self.name, 400)
        return Problem(place, f"{where}:{place.line}" if self.places else f"-p {where}", written(path), what, todo)


def kind_of(name: str) -> str:
    """Return `json`, `toml` or `pyproject`: what a policy file's name says that it holds."""
    base = re.split(r"[/\\]", name)[-1]
    if base == "pyproject.toml":
        return "pyproject"
    return "toml" if base[-5:] in (".toml", ".TOML") else "json"


def written(path: Path) -> str:
    """Return a path as a user writes it (`protect.tags[1]`), hostile characters escaped."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{shown(part)}" if text else shown(part)
    return text


def read_document(data: bytes, name: str, kind: str) -> Document:
    """Return the document in `data`; raise PolicyError where it is damaged.

    Of a `pyproject` only the table `[tool.windowkeeper]` counts, and it must be there.
    """
    if kind != "pyproject":
        return _document(_tree(data, name, kind), name)
    document = read_table(data, name)
    if document is None:
        where = f"{shown(name, 400)}:1"
        raise error_of(
            [Problem((1, 1), where, "", "has no table [tool.windowkeeper]", "add it, or name a policy file")]
        )
    return document


def read_table(data: bytes, name: str) -> Document | None:
    """Return the table `[tool.windowkeeper]` of a pyproject.toml, None where it has none."""
    tree = _tree(data, name, "toml")
    value = tree.value
    for part in TABLE:
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    depth = len(TABLE)
    places = {path[depth:]: place for path, place in tree.places.items() if path[:depth] == TABLE}
    return _document(Tree(value, places, ()), name)


def _document(tree: Tree, name: str) -> Document:
    repeats = tuple(_repeated(name, repeat) for repeat in tree.repeats)
    if not isinstance(tree.value, dict):
        document = Document(name, {}, {(): Place(1, 1), **tree.places})
        todo = "write an object of keys, or a table"
        raise error_of([document.problem((), f"the policy is {found(tree.value)}", todo)])
    return Document(name, tree.value, tree.places, repeats)


def found(value: object) -> str:
    """Return in words what a value is, short and harmless."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'the text "{shown(value, 40)}"'
    if isinstance(value, int | float):
        return f"the number {_digits(value)}"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, dict):
        return "an object"
    return "null" if value is None else "a date or time"


def _digits(number: float) -> str:
    try:
        digits = str(number)
    except ValueError:
        return "of thousands of digits"
    return digits if len(digits) <= 30 else f"{digits[:20]}… ({len(digits):,} digits)"


def _tree(data: bytes, name: str, kind: str) -> Tree:
    try:
        text = _decoded(data)
        if kind == "json":
            return read_json(text)
        from windowkeeper_cli.policy.toml_text import read_toml

        return read_toml(text)
    except DamagedTextError as error:
        where = f"{shown(name, 400)}:{error.place.line}:{error.place.column}"
        raise error_of([Problem(error.place, where, "", error.what, error.todo)]) from None


def _decoded(data: bytes) -> str:
    """Return the text of a file; a byte order mark of UTF-8 is read over, as in a transcript."""
    if len(data) > LARGEST_FILE:
        what = f"is a file of {len(data):,} bytes, and a policy has at most {LARGEST_FILE:,}"
        raise DamagedTextError(Place(1, 1), what, "name a policy file")
    if data[:2] in _UTF16:
        raise DamagedTextError(Place(1, 1), "is no UTF-8 (it begins as UTF-16 does)", "save it as UTF-8")
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        place = Place(before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise DamagedTextError(place, f"the byte 0x{data[error.start]:02x} is no UTF-8", "save it as UTF-8") from None


def _repeated(name: str, repeat: Repeat) -> Problem:
    line = repeat.place.line
    what = f"is given twice, on line {repeat.first_line} and here"
    return Problem(repeat.place, f"{shown(name, 400)}:{line}", written(repeat.path), what, "keep one of them")
