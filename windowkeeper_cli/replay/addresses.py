"""Addresses: how what is not in full in a session's window can be had again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from windowkeeper_cli.model.block import ToolCall, texts_of
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.rules.holders import decoded
from windowkeeper_cli.rules.identifiers import Identifier, identifiers, stands_in

RECALLABLE, MENTIONED, LOST = "recallable", "mentioned", "lost"
_WORD = re.compile(r"[A-Za-z0-9_.:-]+", re.ASCII)


class Addresses:
    """Looks at the window as it stands when this is made; the session must not go on meanwhile."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._named_before: dict[str, bool] = {}

    def of(self, at: int) -> str:
        """Return `recallable` (an id in the window names it), `mentioned` (it is named without one), or `lost`.

        A copy that stands in full elsewhere, the item's own call, the tool's name in a text of ours, and its resource
        anywhere in the window are mentions.
        """
        item, fold = self._session.transcript.items[at], self._session.fold
        if item.id in self._ids:
            return RECALLABLE
        if fold.form(at) is not Form.OUT or item.id in self._in_full:
            return MENTIONED
        if item.answers >= 0 and fold.form(item.answers) is not Form.OUT:
            return MENTIONED
        if item.tool_name and item.tool_name in self._words:
            return MENTIONED
        return MENTIONED if item.resource and self._is_named(item.resource) else LOST

    def lost_ids(self) -> frozenset[str]:
        """Return the ids of the lost items of the window: each is one content, however often it came."""
        items, found = self._session.transcript.items, self._session.fold.not_in_full()
        return frozenset([items[at].id for at in found]) - self._ids - self._in_full

    def is_lost(self, at: int) -> bool:
        """Return whether the item is lost: its content stands nowhere in full, and no id in the window names it.

        A lost item may still be `mentioned`.
        """
        item_id = self._session.transcript.items[at].id
        return item_id not in self._ids and item_id not in self._in_full

    @cached_property
    def _ids(self) -> frozenset[str]:
        """The ids that stand-ins in the window name, those on the list of a notice included."""
        session, fold = self._session, self._session.fold
        found: set[str] = set()
        for insert in fold.inserted():
            listed = session.archive.list(insert.item) or () if insert.item in insert.text else ()
            found.update(listed)
            found.update(_WORD.findall(insert.text))
        for at in fold.not_in_full():
            form, text, _ = fold.standing(at)
            item_id = session.transcript.items[at].id
            if form is not Form.OUT and text and item_id in text:
                found.add(item_id)
        return frozenset(found)

    @cached_property
    def _in_full(self) -> frozenset[str]:
        fold = self._session.fold
        away = frozenset(fold.not_in_full())
        return frozenset([item.id for item in self._session.transcript.items[: fold.held] if item.at not in away])

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of the texts of ours, each also without the punctuation at its end."""
        words = {word for insert in self._session.fold.inserted() for word in _WORD.findall(insert.text)}
        return frozenset(words | {word.rstrip(".:-") for word in words})

    @cached_property
    def _text(self) -> str:
        """Everything that the window says, the arguments of its tool calls included."""
        return "\n".join(self._texts())

    def _texts(self) -> Iterator[str]:
        fold, transcript = self._session.fold, self._session.transcript
        for insert in fold.inserted():
            yield insert.text
        for at in range(fold.held):
            form, text, cut = fold.standing(at)
            if form is Form.OUT:
                continue
            blocks = blocks_in_form(transcript.blocks(at), form, text, cut)
            yield from texts_of(blocks)
            yield from (decoded(block.args) for block in blocks if isinstance(block, ToolCall))

    def _is_named(self, resource: str) -> bool:
        known = self._named_before.get(resource)
        if known is None:
            known = self._named_before[resource] = stands_in(_identifier(resource), self._text)
        return known


def _identifier(resource: str) -> Identifier:
    found = identifiers(resource)
    whole = len(found) == 1 and found[0].name == resource
    return found[0] if whole else Identifier(resource, (resource,), False)
