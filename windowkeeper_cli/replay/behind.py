"""What does each text of ours stand for? The items that left behind it, and the calls at which it stood."""

from __future__ import annotations

from typing import NamedTuple

from windowkeeper_cli.model.decision import Insert
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.replay.session import Session

LEAVING = ("trim", "fold")


class Stood(NamedTuple):
    """A text of ours: its id, what it stands as, its text, the positions that it stands for, its first and last call.

    The last one is that of the replay where it still stands.
    """

    item: str
    stands: str
    text: str
    ats: tuple[int, ...]
    first: int
    last: int


class Behind:
    """Follows a session: a text that replaces another stands for what that stood for; nothing leaves its list again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._left: dict[str, dict[int, None]] = {}
        self._texts: dict[str, Insert] = {}
        self._first: dict[str, int] = {}
        self._until: dict[str, int] = {}
        self._call = 0

    def take(self, step: Step) -> None:
        """Take in what a visit did, right after it."""
        self._call = step.call
        left = [line.at for line in step.lines if line.action in LEAVING and line.at is not None]
        gone = [line.item for line in step.lines if line.action == "retract"]
        came = [line.item for line in step.lines if line.action == "insert"]
        for item in gone:
            self._until[item] = step.call - 1
        if not left and not came:
            return
        standing = {insert.item: insert for insert in self._session.fold.inserted()}
        behind = dict.fromkeys([*(at for item in gone for at in self._left.get(item, ())), *left])
        # One that came stands for what left now; else one that names a list of its own, which grows.
        for item in came or [item for item, insert in standing.items() if item in insert.text]:
            self._left.setdefault(item, {}).update(behind)
            self._texts[item] = standing[item]
            self._first.setdefault(item, step.call)
            self._until.pop(item, None)

    def stood(self) -> tuple[Stood, ...]:
        """Return every text that has stood, in order of first appearance."""
        return tuple(
            Stood(
                item, insert.stands, insert.text, tuple(sorted(self._left[item])), self._first[item], self._last(item)
            )
            for item, insert in self._texts.items()
        )

    def _last(self, item: str) -> int:
        return self._until.get(item, self._call)
