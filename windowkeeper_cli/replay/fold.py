"""The fold: the one mutable window, made from the transcript by appending items and applying decisions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from itertools import accumulate

from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import Cut, Decision, Form, Insert, Retract
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.fenwick import Fenwick

FULL, OUT = Form.FULL, Form.OUT
Standing = tuple[Form, str | None, Cut | None]
KEEPING = frozenset({"keep", "recall"})


class Fold:
    """The window after the items appended and the proposals applied so far; a `WindowView` for everyone else.

    Slot 2i stands before item i, slot 2i + 1 is item i, so that an insertion never renumbers anything.
    `steps` counts elementary operations: items appended and slots changed.
    """

    def __init__(self, transcript: Transcript, counts: Counts) -> None:
        self.items: Sequence[Item] = transcript.items
        self.tokens = counts.counter.label.unseen_prefix
        self.units = 0
        self.messages = 0
        self.held = 0
        self.steps = 0
        self.unseen_prefix = self.tokens
        self._full = counts.tokens
        self._sums = [0, *accumulate(counts.tokens)]
        self._size = list(counts.tokens)
        self._standing: dict[int, Standing] = {}
        self._inserts: dict[int, Insert] = {}
        self._changes = Fenwick(len(self.items))
        self._turns: list[int] = []
        self._in_turn: dict[int, int] = {}
        self._heads: list[int] = []
        self._by_tool: dict[str, list[int]] = {}
        self._live: dict[str, list[int]] = {}
        self._unnamed: list[int] = []
        self._callers: dict[str, list[tuple[int, str]]] = {}
        self._units: dict[int, int] = {}
        self._answers: dict[str, int] = {}
        self._kept_for: dict[int, int] = {}
        self._envelope = transcript.envelope

    def append(self, upto: int) -> range:
        """Append the items before position `upto`, each in full, and return their positions."""
        new = range(self.held, upto)
        for at in new:
            item = self.items[at]
            self.tokens += self._full[at]
            turn = item.turn
            if turn < 0:
                continue
            if turn == len(self._heads):
                self._heads.append(at)
                self._turns.append(turn)
            self._in_turn[turn] = self._in_turn.get(turn, 0) + 1
            self.units += item.units
            self.messages += 1
            for call in item.calls:
                self._callers.setdefault(call.id, []).append((at, call.name))
            if item.is_result:
                self._count_answer(item, 1)
                if item.tool_name:
                    self._by_tool.setdefault(item.tool_name, []).append(at)
                    self._live.setdefault(item.tool_name, []).append(at)
                elif item.tool_call_id:
                    self._unnamed.append(at)
        self.held = max(self.held, upto)
        self.steps += len(new)
        return new

    def apply(self, decision: Decision, anchor: int) -> None:
        """Put one item into the form that a decision gives it; `anchor` is the request it may be kept for."""
        at = decision.at
        self.steps += 1
        if decision.action in KEEPING:
            self._kept_for[at] = anchor
        before = self.form(at)
        if decision.form is before and decision.form in (FULL, OUT):
            return
        change = decision.tokens - self._size[at]
        self._size[at] = decision.tokens
        self.tokens += change
        self.units += decision.units - self.item_units(at)
        self._units[at] = decision.units
        if change:
            self._changes.add(at, change)
        if decision.form is FULL:
            self._standing.pop(at, None)
        else:
            self._standing[at] = (decision.form, decision.text, decision.cut)
        if (before is OUT) != (decision.form is OUT):
            self._move(at, gone=decision.form is OUT)

    def insert(self, insert: Insert) -> None:
        """Let a text of ours enter, and what it replaces leave."""
        for slot in insert.replaces:
            self._drop(slot)
        self._inserts[insert.slot] = insert
        self.tokens += insert.tokens
        self.units += insert.units
        self.steps += 1

    def retract(self, retract: Retract) -> None:
        """Let a text of ours leave."""
        self._drop(retract.slot)
        self.steps += 1

    def standing(self, at: int) -> Standing:
        """Return an item's form, stand-in text and cut."""
        return self._standing.get(at, (FULL, None, None))

    def not_in_full(self) -> Sequence[int]:
        """Return the positions of all items that are not in full, oldest first."""
        return sorted(self._standing)

    def in_force(self) -> int:
        """Return how many items stand in another form than full, and texts of ours."""
        return len(self._standing) + len(self._inserts)

    def insert_at(self, slot: int) -> Insert | None:
        """Return the text of ours at a slot."""
        return self._inserts.get(slot)

    def end(self) -> int:
        """Return the slot behind the last thing that stands in the window."""
        newest = self.newest()
        last = self._envelope - 1 if newest is None else self.turn_items(newest).stop - 1
        while newest is not None and self.form(last) is OUT:
            last -= 1
        return max(2 * last + 2, *(slot + 1 for slot in self._inserts), 0)

    def tokens_before(self, slot: int) -> int:
        """Return the tokens of the window before a slot, envelope included."""
        at = slot // 2
        inserted = sum(insert.tokens for place, insert in self._inserts.items() if place < slot)
        return self.unseen_prefix + self._sums[at] + self._changes.before(at) + inserted

    def form(self, at: int) -> Form:
        """Return the form of the item at `at`."""
        found = self._standing.get(at)
        return FULL if found is None else found[0]

    def size(self, at: int) -> int:
        """Return the tokens that the item takes now."""
        return self._size[at]

    def item_units(self, at: int) -> int:
        """Return the UTF-16 length of the text that the item has now."""
        return self._units.get(at, self.items[at].units)

    def rank(self, turn: int) -> int:
        """Return how many of the transcript's turns in the window are older than `turn`."""
        return bisect_left(self._turns, turn)

    def full_size(self, at: int) -> int:
        """Return the tokens that the item takes in full."""
        return self._full[at]

    def oldest(self) -> int | None:
        """Return the oldest turn that has an item in the window."""
        return self._turns[0] if self._turns else None

    def newest(self) -> int | None:
        """Return the newest turn that has an item in the window."""
        return self._turns[-1] if self._turns else None

    def after(self, turn: int) -> int | None:
        """Return the next newer turn in the window."""
        index = bisect_right(self._turns, turn)
        return self._turns[index] if index < len(self._turns) else None

    def before(self, turn: int) -> int | None:
        """Return the next older turn in the window."""
        index = bisect_left(self._turns, turn)
        return self._turns[index - 1] if index > 0 else None

    def turn_items(self, turn: int) -> range:
        """Return the positions of a turn's items that have been appended; past the last turn, none."""
        heads = self._heads
        if turn >= len(heads):
            return range(self.held, self.held)
        return range(heads[turn], heads[turn + 1] if turn + 1 < len(heads) else self.held)

    def turn_tokens(self, turn: int) -> int:
        """Return the tokens that a turn takes now."""
        return sum(self._size[at] for at in self.turn_items(turn))

    def is_latest_of_tool(self, at: int, count: int) -> bool:
        """Return whether the result at `at` is one of its tool's latest `count` results."""
        name = self.items[at].tool_name
        return bool(name) and self.items[at].is_result and at in self._by_tool[name or ""][-count:]

    @property
    def turn_count(self) -> int:
        """Return the number of turns in the window; a text of ours is a turn."""
        return len(self._turns) + len(self._inserts)

    @property
    def message_count(self) -> int:
        """Return the number of messages and results in the window, texts of ours counted, the envelope not."""
        return self.messages + len(self._inserts)

    def latest_results(self) -> Sequence[tuple[str, int]]:
        """Return each tool's name with the position of its latest result that is in the window."""
        latest = {tool: live[-1] for tool, live in self._live.items() if live}
        for at in self._unnamed:
            name = None if self.form(at) is OUT else self.result_name(at)
            if name and latest.get(name, -1) < at:
                latest[name] = at
        return sorted(latest.items(), key=lambda pair: pair[1])

    def result_name(self, at: int) -> str | None:
        """Return a result's tool name: its own, else that of the oldest call in the window with its id."""
        item = self.items[at]
        if item.tool_name or not item.tool_call_id:
            return item.tool_name or None
        callers = self._callers.get(item.tool_call_id, ())
        return next((name for calling, name in callers if name and self.form(calling) is not OUT), None)

    def answered(self, tool_call_id: str) -> bool:
        """Return whether a result with that id stands in the window."""
        return self._answers.get(tool_call_id, 0) > 0

    def kept_for(self, at: int) -> int | None:
        """Return the position of the request that the item was last kept or recalled for."""
        return self._kept_for.get(at)

    def inserted(self) -> Sequence[Insert]:
        """Return the texts of ours that stand, by slot."""
        return [self._inserts[slot] for slot in sorted(self._inserts)]

    def _drop(self, slot: int) -> None:
        gone = self._inserts.pop(slot, None)
        if gone is not None:
            self.tokens -= gone.tokens
            self.units -= gone.units

    def _move(self, at: int, *, gone: bool) -> None:
        item, turn = self.items[at], self.items[at].turn
        count = self._in_turn[turn] + (-1 if gone else 1)
        self._in_turn[turn] = count
        self.messages += -1 if gone else 1
        if gone and count == 0:
            del self._turns[bisect_left(self._turns, turn)]
        elif not gone and count == 1:
            insort(self._turns, turn)
        if item.is_result:
            self._count_answer(item, -1 if gone else 1)
            self._revive(item, gone=gone)

    def _revive(self, item: Item, *, gone: bool) -> None:
        live = self._live.get(item.tool_name or "")
        if live is None:
            return
        if not gone and item.at not in live:
            insort(live, item.at)
        while live and self.form(live[-1]) is OUT:
            live.pop()

    def _count_answer(self, item: Item, change: int) -> None:
        if item.tool_call_id:
            self._answers[item.tool_call_id] = self._answers.get(item.tool_call_id, 0) + change
