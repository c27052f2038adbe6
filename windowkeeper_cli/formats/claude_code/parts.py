"""Which parts does a log have? A `/clear` in the middle of the file begins another one."""

from __future__ import annotations

from windowkeeper_cli.formats.claude_code.chain import Tree
from windowkeeper_cli.formats.claude_code.lines import MESSAGES


def parts_of(tree: Tree, roots: list[int]) -> list[tuple[int, int]]:
    """Return the root and the last message of every part, in the order of those messages.

    A part begins at a line without a parent; a line whose parent is not in the file is a stray one.
    """
    last: dict[int, int] = {}
    for at, (root, line) in enumerate(zip(roots, tree.lines, strict=True)):
        if line.kind in MESSAGES and not line.synthetic:
            last[root] = at
    true = {root: at for root, at in last.items() if tree.lines[root].parent is None} or last
    return sorted(true.items(), key=lambda pair: pair[1])
