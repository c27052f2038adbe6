"""What in the window still names an item that has left: an id, a name without one, or nothing?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from windowkeeper_cli.model.decision import OUT, Insert
from windowkeeper_cli.model.ledger import DecisionLine
from windowkeeper_cli.replay.addresses import LOST, MENTIONED, RECALLABLE
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.rules.identifiers import Identifier
from windowkeeper_cli.rules.sought import holds

LISTED = frozenset({"trim", "fold"})
"""Actions whose items a notice or a summary answers for when it is recalled."""
_WORD = re.compile(r"[A-Za-z0-9_.:-]+", re.ASCII)


class Naming:
    """Looks at a session as it stands, one item at a time; walks no window, only the texts of ours in it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._words: dict[str, frozenset[str]] = {}
        self._lists: dict[str, set[str]] = {}

    def take(self, lines: Sequence[DecisionLine]) -> None:
        """Note which items a visit put on the lists that texts of ours name."""
        trimmed = [line.item for line in lines if line.action in LISTED]
        if trimmed:
            for insert in self._session.fold.inserted():
                if insert.item in insert.text:
                    self._lists.setdefault(insert.item, set()).update(trimmed)

    def address(self, at: int) -> str:
        """Return the address of an item by itself: `mentioned` where what stands for it, or its own call, is there."""
        if self._is_recallable(at):
            return RECALLABLE
        item, fold = self._session.transcript.items[at], self._session.fold
        stands = fold.form(at) is not OUT or (item.answers >= 0 and fold.form(item.answers) is not OUT)
        return MENTIONED if stands else LOST

    def in_a_text(self, names: Sequence[Identifier]) -> bool:
        """Return whether a text of ours in the window has one of `names`."""
        return any(holds(name, insert.text) for insert in self._session.fold.inserted() for name in names)

    def _is_recallable(self, at: int) -> bool:
        item_id, fold = self._session.transcript.items[at].id, self._session.fold
        form, text, _ = fold.standing(at)
        if form is not OUT and text and item_id in text:
            return True
        return any(
            item_id in self._words_of(one) or item_id in self._lists.get(one.item, ()) for one in fold.inserted()
        )

    def _words_of(self, insert: Insert) -> frozenset[str]:
        found = self._words.get(insert.text)
        if found is None:
            words = _WORD.findall(insert.text)
            found = self._words[insert.text] = frozenset([*words, *(word.rstrip(".:-") for word in words)])
        return found
