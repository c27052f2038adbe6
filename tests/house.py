"""The house as its source says: every module's imports, calls and sizes, read with `ast`, nothing imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "windowkeeper_cli"
NAME = "windowkeeper_cli"

FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"model"}),
    frozenset({"tokens", "policy", "formats", "archive", "guards"}),
    frozenset({"rules"}),
    frozenset({"strategies"}),
    frozenset({"replay"}),
    frozenset({"report"}),
    frozenset({"render"}),
    frozenset({"cli"}),
)
"""The floors from the ground up, as spec'd: an import only goes down, never sideways."""


@dataclass(frozen=True)
class Module:
    """One module: its dotted name, its floor (None at the top of the package) and its tree."""

    name: str
    path: Path
    floor: str | None
    tree: ast.Module

    def imports(self) -> Iterator[tuple[str, int]]:
        """Yield the dotted names that the module imports anywhere, with their lines."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield alias.name, node.lineno
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.name}:{node.lineno} imports relatively"
                yield node.module or "", node.lineno


def modules() -> tuple[Module, ...]:
    """Return every module of the package."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        inner = parts[1:]
        floor = inner[0] if len(inner) > 1 else None
        dotted = ".".join(part for part in parts if part != "__init__")
        found.append(Module(dotted, path, floor, ast.parse(path.read_text("utf-8"))))
    return tuple(found)


def height(floor: str) -> int:
    """Return how many floors lie below `floor`."""
    return next(level for level, names in enumerate(FLOORS) if floor in names)
