"""What did the chain leave behind, and which parents are lost? Counted and named, never dropped silently."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.formats.branches import abandoned, dangling
from windowkeeper_cli.formats.claude_code.chain import Tree
from windowkeeper_cli.formats.claude_code.lines import ASSISTANT
from windowkeeper_cli.model.finding import Finding


def left_behind(
    tree: Tree, roots: list[int], met: set[int], root: int, true_roots: set[int], names: Sequence[str]
) -> tuple[list[Finding], int]:
    """Return the findings on lost parents and on what the chain left behind, and how many branches that is."""
    findings: list[Finding] = []
    for at in tree.dangling:
        line = tree.lines[at]
        where = f"{names[line.origin.file]}:{line.origin.line}"
        findings.append(dangling(where, line.origin.line, line.uuid))
    branch_of: dict[int, int] = {}
    branches: dict[int, list[int]] = {}
    for at, line in enumerate(tree.lines):
        if at in met or (roots[at] != root and roots[at] in true_roots):
            continue
        branch = branch_of.get(tree.parents[at])
        if line.is_message:
            branch = at if branch is None else branch
            branches.setdefault(branch, []).append(at)
        if branch is not None:
            branch_of[at] = branch
    for first, members in branches.items():
        line = tree.lines[first]
        where = f"{names[line.origin.file]}:{line.origin.line}"
        calls = len({tree.lines[at].reply for at in members if tree.lines[at].kind == ASSISTANT})
        findings.append(abandoned(where, line.origin.line, line.uuid, len(members), calls))
    return findings, len(branches)
