"""What does a compaction of Codex keep? Its replacement is the whole history from then on."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.responses.items import Item, item_of
from windowkeeper_cli.model.block import Blocks, Text, texts_of
from windowkeeper_cli.model.item import SYSTEM, USER
from windowkeeper_cli.model.payload import item_id, payload

_MOST_BYTES = 20_000 * 4


class Compaction:
    """What of the entries stands in the replacement, and what in it is new; positions count entries.

    The first `base` entries are no part of the history. `missing` are the leading system texts behind them that it
    leaves out, by content.
    """

    def __init__(self, entries: list[Entry], compacted: dict[str, Any], base: int) -> None:
        told = compacted.get("replacement_history")
        message = text_or_none(compacted, "message")
        self.kept: list[int] = []
        if isinstance(told, list):
            items = [item for value in told if (item := item_of(value)) is not None]
            self.summary = self._match(entries, items)
        else:
            self._rebuilt(entries)
            self.summary = ()
        texts = [block.text for block in self.summary if isinstance(block, Text)]
        if message is not None and not any(message in text for text in texts):
            self.summary = (*self.summary, Text(message))
        envelope = next((at for at, entry in enumerate(entries) if entry.role != SYSTEM), len(entries))
        gone = set(range(base, envelope)) - set(self.kept)
        self.missing = {entries[at].blocks: at for at in sorted(gone)}

    def _match(self, entries: list[Entry], items: list[Item]) -> Blocks:
        """Find each item of the replacement among the entries, the latest first; return the rest, the summary."""
        places: dict[tuple[str, Blocks], list[int]] = {}
        for at, entry in enumerate(entries):
            places.setdefault((entry.role, entry.blocks), []).append(at)
        summary: Blocks = ()
        for item in reversed(items):
            known = places.get((item.role, item.blocks))
            if known:
                self.kept.append(known.pop())
            else:
                summary = (*item.blocks, *summary)
        return summary

    def _rebuilt(self, entries: list[Entry]) -> None:
        """Keep what Codex builds a history from around a summary of its own: the texts it sends itself, and the
        latest of what persons said, up to 20,000 tokens by its count of 4 bytes each (codex-rs, compact.rs).
        """
        left = _MOST_BYTES
        for at in reversed(range(len(entries))):
            entry = entries[at]
            if entry.role not in (USER, SYSTEM) or (entry.request and left <= 0):
                continue
            self.kept.append(at)
            if entry.request:
                left -= sum(len(text.encode("utf-8", "surrogatepass")) for text in texts_of(entry.blocks))

    def facts(self, line: int) -> dict[str, Any]:
        """Return what the event of a compaction on that line says."""
        blocks = self.summary
        return {
            "summary": blocks,
            "summary_id": item_id(payload(USER, blocks)) if blocks else None,
            "summary_line": line if blocks else None,
            "kept": tuple(sorted(self.kept)),
        }
