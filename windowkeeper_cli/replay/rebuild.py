"""Rebuild: the window at a call from the transcript and the ledger's lines alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from windowkeeper_cli.model.block import Blocks, Text
from windowkeeper_cli.model.decision import FORM_AFTER, Cut, Form
from windowkeeper_cli.model.item import USER
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript


class Rebuilt:
    """The forms and the texts of ours that the ledger lines applied so far leave standing."""

    def __init__(self) -> None:
        self.standing: dict[int, tuple[Form, str | None, Cut | None]] = {}
        self.inserts: dict[int, tuple[str, str, str]] = {}

    def apply(self, line: Mapping[str, object]) -> None:
        """Apply one line as it stands in the file; lines that are no decisions change nothing."""
        if line.get("kind") != "decision":
            return
        action = cast(str, line["action"])
        if action == "insert":
            slot = cast(int, line["slot"])
            self.inserts[slot] = (cast(str, line["stands"]), cast(str, line["item"]), cast(str, line["text"]))
        elif action == "retract":
            self.inserts.pop(cast(int, line["slot"]), None)
        else:
            self._move(line, FORM_AFTER[action])

    def _move(self, line: Mapping[str, object], form: Form | None) -> None:
        at = cast(int, line["at"])
        if form is Form.FULL:
            self.standing.pop(at, None)
        elif form is not None:
            cut = line.get("cut")
            parts = None if cut is None else cast(Cut, tuple(cast("list[int]", cut)))
            self.standing[at] = (form, cast("str | None", line.get("text")), parts)

    def window(self, transcript: Transcript, held: int) -> Iterator[tuple[int, str, Blocks]]:
        """Yield (slot, role, blocks) of the window over the first `held` items, in order."""
        for at in range(held):
            if 2 * at in self.inserts:
                yield 2 * at, USER, (Text(self.inserts[2 * at][2]),)
            form, text, cut = self.standing.get(at, (Form.FULL, None, None))
            if form is not Form.OUT:
                yield 2 * at + 1, transcript.items[at].role, blocks_in_form(transcript.blocks(at), form, text, cut)
