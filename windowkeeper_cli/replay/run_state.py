"""The state of a run: records on file, the last reading, and who wrote what is in the window, and when.

Source: agentfootprint 9.62.0, the window stage; a new run forgets all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.decision import Refusal
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.reading import Reading
from windowkeeper_cli.model.transcript import Transcript

SEED = "seed#0"
PIN = "last-tool-result"
BLOCKED = 2
"""Records in a row that removed nothing and name a pin, after which the pin stands down for one visit."""


class RunState:
    """What the visits of one run leave to the next; `reading` is the last usable one of this run."""

    def __init__(self, transcript: Transcript) -> None:
        self._items = transcript.items
        self.names_stages = any(item.stage for item in transcript.items)
        self.reading: Reading | None = None
        self._run: int | None = None
        self._records: list[tuple[int, bool]] = []
        self._seeded = 0
        self._seeded_at: float | None = None
        self._inserted: dict[int, tuple[str, float | None]] = {}

    def begin(self, call: Call) -> None:
        """Take note of a call; where it begins another run, forget the last one's records and reading."""
        if self._run is not None and call.run != self._run:
            self._records = []
            self.reading = None
            self._seeded = call.at
            self._seeded_at = _milliseconds(self._items[call.at - 1].timestamp) if call.at else None
            self._inserted = dict.fromkeys(self._inserted, (SEED, self._seeded_at))
        self._run = call.run

    def restore(self, records: Sequence[tuple[int, bool]]) -> None:
        """Put records on file that were made before the first visit: (messages removed, names a pin)."""
        self._records = list(records)

    def stands_down(self) -> bool:
        """Return whether the last two records removed nothing and each names a pin."""
        last = self._records[-BLOCKED:]
        return len(last) == BLOCKED and all(removed == 0 and pinned for removed, pinned in last)

    def file(self, removed: int, refusals: Sequence[Refusal]) -> None:
        """Put the record of a visit that engaged on file."""
        self._records.append((removed, any(refusal.reason == PIN for refusal in refusals)))

    def note_text(self, slot: int, visit_number: int, now: float | None) -> None:
        """Note which visit wrote the text of ours that entered at a slot, and when."""
        self._inserted[slot] = (f"compact#{visit_number}", now)

    def stage(self, slot: int) -> str | None:
        """Return the stage that wrote what stands at a slot, None where the transcript names none."""
        if not self.names_stages:
            return None
        if slot % 2 == 0:
            return self._inserted[slot][0]
        return SEED if slot // 2 < self._seeded else self._items[slot // 2].stage

    def births(self) -> Callable[[int], float | None]:
        """Return what tells when something was written, by its slot: of an item the same at any later time."""
        items, seeded, seeded_at, inserted = self._items, self._seeded, self._seeded_at, self._inserted

        def born(slot: int) -> float | None:
            if slot % 2 == 0:
                return inserted[slot][1]
            return seeded_at if slot // 2 < seeded else _milliseconds(items[slot // 2].timestamp)

        return born


def _milliseconds(timestamp: str | None) -> float | None:
    found = seconds(timestamp)
    return None if found is None else round(found * 1000)
