"""What is wrong with an archive on disk? Each damage with its place; all else in the archive is served."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from windowkeeper_cli.model.value import NamedTuple

KINDS = (
    ("item", "an item's record is not what was written; its content cannot be recalled"),
    ("list", "a list's record is not what was written; which items it names is not known"),
    ("visit", "a visit's record is not what was written; the plan ends before it"),
    ("missing", "a list names an item that is not there, or a visit a list"),
    ("link", "a symbolic link stands where a file or folder of the archive belongs; it is not followed"),
    ("stray", "something that no archive holds"),
    ("open", "others than the owner may read it"),
    ("marker", "the file that says that this is an archive is not there, or not what was written"),
    ("database", "the database says of itself that it is damaged"),
)
"""Every kind of damage, and what it means."""


NO_FAULTS = frozenset({"open", "stray"})
"""Worth a look, but every record is what was written: a copy may have other permissions, or a file beside."""


class Damage(NamedTuple):
    """One damage: its kind, its place in the archive, the id concerned (None: none is), and what is wrong."""

    kind: str
    where: str
    id: str | None
    text: str

    @property
    def is_fault(self) -> bool:
        """Return whether something is not what was written."""
        return self.kind not in NO_FAULTS


def open_to_others(paths: Sequence[Path]) -> Iterator[Damage]:
    """Yield one damage for all of `paths`, which others than their owner may read; none where there is none."""
    if paths:
        more = f", and {len(paths) - 1:,} more like it" if len(paths) > 1 else ""
        yield Damage("open", str(paths[0]), None, f"others than its owner may read it{more}")
