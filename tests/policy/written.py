"""Documents for the tests of positions, written out while the line of each key is counted: JSON and TOML."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random

Path = tuple[str | int, ...]
NAMES = ("a", "b c", 'q"', "é", "x.y", "#", "max", "'", "[", "\\", "=", "{", "1", "tool\n", "")
TEXTS = ("", "x", 'say "a = 1"', "# none", "]", "}", "a\nb", "'", "'''", "\\", "é\u2028", "[t]")


@dataclass
class Paper:
    """What has been written, and the line of every path."""

    random: Random
    text: str = ""
    lines: dict[Path, int] = field(default_factory=dict)

    def put(self, text: str) -> None:
        """Write `text`."""
        self.text += text

    def mark(self, path: Path) -> None:
        """Say that `path` begins here, where it has not begun before."""
        self.lines.setdefault(path, self.text.count("\n") + 1)

    def one_of(self, *texts: str) -> None:
        """Write one of `texts`."""
        self.put(self.random.choice(texts))


def json_paper(seed: int) -> Paper:
    """Return a JSON document of objects, lists and texts with blanks and line ends between its tokens."""
    paper = Paper(Random(seed))
    _json_gap(paper)
    _json_value(paper, (), 0)
    _json_gap(paper)
    return paper


def _json_gap(paper: Paper) -> None:
    paper.one_of("", "", " ", "\n", "\r\n", "\n\n\t", " \n ")


def _json_value(paper: Paper, path: Path, depth: int) -> None:
    kind = paper.random.choice("{{[s1t") if depth < 4 else paper.random.choice("s1t")
    if depth == 0:
        kind = "{"
    if kind in "{[":
        names = paper.random.sample(NAMES, paper.random.randint(0, 4))
        paper.put(kind)
        for number, name in enumerate(names):
            paper.put("," if number else "")
            _json_gap(paper)
            inner = (*path, name if kind == "{" else number)
            paper.mark(inner)
            if kind == "{":
                paper.put(json.dumps(name, ensure_ascii=paper.random.random() < 0.5))
                _json_gap(paper)
                paper.put(":")
                _json_gap(paper)
            _json_value(paper, inner, depth + 1)
            _json_gap(paper)
        _json_gap(paper)
        paper.put("}" if kind == "{" else "]")
    elif kind == "s":
        paper.put(json.dumps(paper.random.choice(TEXTS)))
    else:
        paper.one_of("true", "null", "0", "-1", "1.5e3", "1E-2", "false")


def toml_paper(seed: int) -> Paper:
    """Return a TOML document of tables, arrays of tables, dotted keys, inline values and comments."""
    paper = Paper(Random(seed))
    _pairs(paper, (), "top")
    for number in range(paper.random.randint(0, 5)):
        _toml_gap(paper)
        _table(paper, number)
    return paper


def _toml_gap(paper: Paper) -> None:
    paper.one_of("", "\n", "# [note] a = '''\n", "\r\n", '  \n\t# """\n')


def _table(paper: Paper, number: int) -> None:
    indent = paper.random.choice(("", "  "))
    if paper.random.random() < 0.4:
        for element in range(paper.random.randint(1, 3)):
            path: Path = (f"array{number}",)
            paper.put(indent)
            paper.mark((*path, element))
            paper.put("[[")
            paper.mark(path)
            paper.put(f"array{number}]]")
            _end(paper)
            _pairs(paper, (*path, element), "in")
            if paper.random.random() < 0.5:
                paper.put(f"[array{number}.")
                paper.mark((*path, element, "sub"))
                paper.put("sub]\n")
                _pairs(paper, (*path, element, "sub"), "in")
    else:
        names = [f"table{number}", *paper.random.sample([name for name in NAMES if name], paper.random.randint(0, 2))]
        paper.put(f"{indent}[")
        _dotted(paper, (), names)
        paper.put("]")
        _end(paper)
        _pairs(paper, tuple(names), "in")


def _pairs(paper: Paper, table: Path, prefix: str) -> None:
    for number in range(paper.random.randint(0, 4)):
        _toml_gap(paper)
        names = [f"{prefix}{number}", *paper.random.sample(NAMES, paper.random.choice((0, 0, 1, 2)))]
        path = _dotted(paper, table, names)
        paper.one_of("=", " = ", "\t=  ")
        _toml_value(paper, path, 0)
        _end(paper)


def _end(paper: Paper) -> None:
    paper.one_of("\n", "  \n", " # a = 1\n", "\r\n", "#'''\n")


def _dotted(paper: Paper, table: Path, names: list[str]) -> Path:
    path = table
    for number, name in enumerate(names):
        if number:
            paper.one_of(".", " . ", ".\t")
        path = (*path, name)
        paper.mark(path)
        paper.put(_key(paper, name))
    return path


def _key(paper: Paper, name: str) -> str:
    forms = [json.dumps(name, ensure_ascii=True)]
    if name and name.isascii() and name.isalnum():
        forms.append(name)
    if "'" not in name and "\n" not in name:
        forms.append(f"'{name}'")
    return paper.random.choice(forms)


def _toml_value(paper: Paper, path: Path, depth: int) -> None:
    kind = paper.random.choice("[{smlp") if depth < 3 else paper.random.choice("smlp")
    if kind == "[":
        paper.put("[")
        for number in range(paper.random.randint(0, 3)):
            paper.one_of("", " ", "\n", "\n# ], '''\n")
            paper.mark((*path, number))
            _toml_value(paper, (*path, number), depth + 1)
            paper.one_of(",", " , ", "\n,", ", # ]\n")
        paper.one_of("", "\n", " ")
        paper.put("]")
    elif kind == "{":
        paper.put("{")
        for number, name in enumerate(paper.random.sample(NAMES, paper.random.randint(0, 3))):
            paper.put(", " if number else " ")
            _dotted(paper, path, [name, *(["d"] if paper.random.random() < 0.3 else [])])
            paper.put(" = ")
            # An inline table is one line in TOML 1.0: only values that stay on it.
            paper.one_of("1", "'}'", '"a = \\" }"', "true")
        paper.put(" }")
    elif kind == "s":
        paper.put(json.dumps(paper.random.choice(TEXTS)))
    elif kind == "m":
        paper.one_of(
            '"""\n[t]\na = 1\n"""',
            '"""a "quoted" \\\n   b"""""',
            '""""""',
            '"""x\\""""',
            "'''\n]\n'''",
            "'''a'''''",
        )
    elif kind == "l":
        paper.one_of("'a = 1'", "'\\'", "''", "'\"'")
    else:
        paper.one_of("1", "1.5", "true", "1979-05-27 07:32:00", "1979-05-27", "0x1F", "nan", "1_000")
