"""How large was the window that the harness sent at each call? From the recorded events and the items' sizes."""

from __future__ import annotations

from itertools import accumulate

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.tokens.tally import Tally, tally
from windowkeeper_cli.tokens.weigh import weigh

CLEARED_STUB = "[Old tool result content cleared]"
"""What Claude Code writes in place of a result that a microcompaction cleared; the log does not hold it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One call whose prompt was reported: `prompt` tokens in all, for texts of `weight` and `fixed` other tokens.

    `stretch` counts the parts of a session in which the window only grew: a recorded event, another model and a
    fall of the prompt that no event explains begin the next.
    """

    stretch: int
    prompt: int
    weight: int
    fixed: int


def sent_windows(transcript: Transcript, tallies: list[Tally]) -> list[Sent]:
    """Return the recorded windows of all calls that report a prompt, in order; one pass over calls and events."""
    sums = _Sums(tallies)
    windows: list[Sent] = []
    events = sorted(transcript.events, key=lambda event: (event.call, event.at))
    window = _Window(transcript.envelope, sums)
    stretch = done = 0
    model = None
    for call in transcript.calls:
        while done < len(events) and events[done].call <= call.number:
            window.happen(events[done])
            done += 1
            stretch += 1
        if call.usage is None or call.usage.prompt <= 0:
            continue
        prompt = call.usage.prompt
        if windows and (call.model != model or _fell(windows[-1].prompt, prompt)):
            stretch += 1
        model = call.model
        weight, fixed = window.size(call.at)
        windows.append(Sent(stretch, prompt, weight, fixed))
    return windows


def _fell(before: int, now: int) -> bool:
    return now * 100 < before * 99


class _Sums:
    """Running totals of the items' sizes."""

    def __init__(self, tallies: list[Tally]) -> None:
        self._weights = list(accumulate((found.size for found in tallies), initial=0))
        self._fixed = list(accumulate((found.fixed for found in tallies), initial=0))

    def between(self, start: int, end: int) -> tuple[int, int]:
        """Return weight and fixed tokens of the items from `start` up to `end`."""
        end = max(start, end)
        return self._weights[end] - self._weights[start], self._fixed[end] - self._fixed[start]


class _Window:
    """What stands before the items since the last compaction, and what stands in another size after it."""

    def __init__(self, envelope: int, sums: _Sums) -> None:
        self._envelope = envelope
        self._sums = sums
        self._since = 0
        self._extra = (0, 0)
        self._kept: frozenset[int] = frozenset()
        self._changed: dict[int, tuple[int, int]] = {}

    def size(self, at: int) -> tuple[int, int]:
        """Return weight and fixed tokens of what was sent with the items before `at`."""
        weight, fixed = self._sums.between(self._since, at)
        return weight + self._extra[0], fixed + self._extra[1]

    def happen(self, event: Event) -> None:
        """Let a recorded event change the window."""
        if event.kind == "compaction":
            self._compact(event)
            return
        for at in event.left:
            self._change(at, (0, 0))
        for at in event.back:
            self._return(at)
        stub = (weigh(CLEARED_STUB), 0)
        for n, at in enumerate(event.cleared):
            if not event.shown and at in self._changed:
                continue
            self._change(at, _shown(event.shown[n]) if event.shown else stub)

    def _compact(self, event: Event) -> None:
        self._since = max(event.at, self._envelope)
        summary = tally(event.summary, weigh)
        weight, fixed = self._sums.between(0, self._envelope)
        self._extra = (weight + summary.size, fixed + summary.fixed)
        self._kept = frozenset(at for at in event.kept if self._envelope <= at < self._since)
        self._changed = {at: size for at, size in self._changed.items() if at in self._kept}
        for at in sorted(self._kept):
            self._add(self._changed.get(at, self._sums.between(at, at + 1)))

    def _return(self, at: int) -> None:
        """Let the item at `at` stand in full again, whatever took it."""
        full = self._sums.between(at, at + 1)
        if at < self._since and at not in self._kept:
            self._kept |= {at}
            self._add(full)
            return
        self._change(at, full)

    def _change(self, at: int, size: tuple[int, int]) -> None:
        """Let the item at `at` take `size` from now on, if it stands in the window."""
        if at < self._since and at not in self._kept:
            return
        before = self._changed.get(at, self._sums.between(at, at + 1))
        self._add((size[0] - before[0], size[1] - before[1]))
        self._changed[at] = size

    def _add(self, size: tuple[int, int]) -> None:
        self._extra = (self._extra[0] + size[0], self._extra[1] + size[1])


def _shown(blocks: Blocks) -> tuple[int, int]:
    found = tally(blocks, weigh)
    return found.size, found.fixed
