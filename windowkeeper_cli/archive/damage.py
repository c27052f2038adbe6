"""What is wrong with an archive on disk? Each damage with its place; all else in the archive is served."""

from __future__ import annotations

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


class Damage(NamedTuple):
    """One damage: its kind, its place in the archive, the id concerned (None: none is), and what is wrong."""

    kind: str
    where: str
    id: str | None
    text: str
