"""The fold: the one mutable window, made from the transcript by appending items and applying decisions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence

from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import FULL, OUT, Decision, Form, Insert, Retract
from windowkeeper_cli.model.item import TOOL, Item
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.answers import Answers, Standing
from windowkeeper_cli.replay.changes import Changes
from windowkeeper_cli.replay.layout import Layout

IN_FULL: Standing = (FULL, None, None)
AWAY: Standing = (OUT, None, None)
KEEPING = frozenset({"keep", "recall"})


class Fold:
    """The window after the items appended and the proposals applied so far; a `WindowView` for everyone else.

    Slot 2i stands before item i, slot 2i + 1 is item i, so that an insertion never renumbers anything.
    `steps` counts elementary operations: items appended and slots changed. `others` are the items in another form than
    full, and how they stand; it is to be read alone.
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
        self._layout = Layout(transcript.items, counts.tokens)
        self._size = list(counts.tokens)
        self.others: dict[int, Standing] = {}
        self._inserts: dict[int, Insert] = {}
        self._changes = Changes(len(self.items))
        self._turns: list[int] = []
        self._begun = 0
        self._gone: dict[int, int] = {}
        self._units: dict[int, int] = {}
        self._answers = Answers(self.items, self.others)
        self._kept_for: dict[int, int] = {}
        self._envelope = transcript.envelope

    def append(self, upto: int) -> range:
        """Append the items before position `upto`, each in full, and return their positions."""
        held = self.held
        new = range(held, upto)
        if not new:
            return new
        layout = self._layout
        self.tokens += layout.tokens[upto] - layout.tokens[held]
        self.units += layout.units[upto] - layout.units[held]
        self.messages += max(upto - max(held, layout.first), 0)
        heads, turns, begun = layout.heads, self._turns, self._begun
        if self._gone and begun and self.items[held].turn == begun - 1 and (not turns or turns[-1] != begun - 1):
            turns.append(begun - 1)
        while begun < len(heads) and heads[begun] < upto:
            turns.append(begun)
            begun += 1
        self._begun = begun
        self.held = upto
        self.steps += len(new)
        return new

    def apply(self, decision: Decision, anchor: int) -> None:
        """Put one item into the form that a decision gives it; `anchor` is the request it may be kept for."""
        at, form = decision.at, decision.form
        self.steps += 1
        if decision.action in KEEPING:
            self._kept_for[at] = anchor
        standing = self.others
        found = standing.get(at)
        before = FULL if found is None else found[0]
        if form is before and (form is FULL or form is OUT):
            return
        tokens, units = decision.tokens, decision.units
        change = tokens - self._size[at]
        self.units += units - (self._units[at] if at in self._units else self.items[at].units)
        self._units[at] = units
        if change:
            self._size[at] = tokens
            self.tokens += change
            self._changes.add(at, change)
        if form is FULL:
            standing.pop(at, None)
        else:
            standing[at] = (form, decision.text, decision.cut)
        if (before is OUT) is not (form is OUT):
            self._move(at, gone=form is OUT)

    def take_out(self, at: int) -> None:
        """Put one item that is in the window out of it: what `apply` does with a decision that says so, and no more."""
        self.steps += 1
        size = self._size[at]
        self.units -= self._units[at] if at in self._units else self.items[at].units
        self._units[at] = 0
        if size:
            self._size[at] = 0
            self.tokens -= size
            self._changes.add(at, -size)
        self.others[at] = AWAY
        self._move(at, gone=True)

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
        return self.others.get(at, IN_FULL)

    def not_in_full(self) -> Sequence[int]:
        """Return the positions of all items that are not in full, oldest first."""
        return sorted(self.others)

    def in_force(self) -> int:
        """Return how many items stand in another form than full, and texts of ours."""
        return len(self.others) + len(self._inserts)

    def insert_at(self, slot: int) -> Insert | None:
        """Return the text of ours at a slot."""
        return self._inserts.get(slot)

    def end(self) -> int:
        """Return the slot behind the last thing that stands in the window."""
        last = self.held - 1
        if last in self.others or not self._turns:
            last = self._last_standing()
        end = max(2 * last + 2, 0)
        return max(end, *(slot + 1 for slot in self._inserts)) if self._inserts else end

    def tokens_before(self, slot: int) -> int:
        """Return the tokens of the window before a slot, envelope included."""
        at = slot // 2
        inserted = sum([insert.tokens for place, insert in self._inserts.items() if place < slot])
        return self.unseen_prefix + self._layout.tokens[at] + self._changes.before(at) + inserted

    def form(self, at: int) -> Form:
        """Return the form of the item at `at`."""
        found = self.others.get(at)
        return FULL if found is None else found[0]

    def size(self, at: int) -> int:
        """Return the tokens that the item takes now."""
        return self._size[at]

    def item_units(self, at: int) -> int:
        """Return the UTF-16 length of the text that the item has now."""
        units = self._units
        return units[at] if at in units else self.items[at].units

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

    def newest_turns(self, count: int) -> Sequence[int]:
        """Return the newest `count` turns that have an item in the window, oldest first."""
        return self._turns[-count:] if count > 0 else ()

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
        begun = self._begun
        if turn >= begun:
            return range(self.held, self.held)
        heads = self._layout.heads
        return range(heads[turn], heads[turn + 1] if turn + 1 < begun else self.held)

    def standing_items(self, turn: int) -> Sequence[int]:
        """Return the positions of a turn's items that are in the window."""
        items = self.turn_items(turn)
        return [at for at in items if self.form(at) is not OUT] if self._gone.get(turn) else items

    def turn_tokens(self, turn: int) -> int:
        """Return the tokens that a turn takes now."""
        items = self.turn_items(turn)
        return sum(self._size[items.start : items.stop])

    @property
    def turn_count(self) -> int:
        """Return the number of turns in the window; a text of ours is a turn."""
        return len(self._turns) + len(self._inserts)

    @property
    def message_count(self) -> int:
        """Return the number of messages and results in the window, texts of ours counted, the envelope not."""
        return self.messages + len(self._inserts)

    def is_latest_of_tool(self, at: int, count: int) -> bool:
        """Return whether the result at `at` is one of its tool's latest `count` results."""
        return self._up_to_date().is_latest_of_tool(at, count)

    def latest_results(self) -> Sequence[tuple[str, int]]:
        """Return each tool's name with the position of its latest result that is in the window."""
        return self._up_to_date().latest_results()

    def result_name(self, at: int) -> str | None:
        """Return a result's tool name: its own, else that of the oldest call in the window with its id."""
        return self.items[at].tool_name or self._up_to_date().result_name(at)

    def answered(self, tool_call_id: str) -> bool:
        """Return whether a result with that id stands in the window."""
        return self._up_to_date().answered(tool_call_id)

    def kept_for(self, at: int) -> int | None:
        """Return the position of the request that the item was last kept or recalled for."""
        return self._kept_for.get(at)

    def inserted(self) -> Sequence[Insert]:
        """Return the texts of ours that stand, by slot."""
        return [self._inserts[slot] for slot in sorted(self._inserts)]

    def _up_to_date(self) -> Answers:
        answers = self._answers
        if answers.held < self.held:
            answers.take_in(self.held)
        return answers

    def _last_standing(self) -> int:
        newest = self.newest()
        last = self._envelope - 1 if newest is None else self.turn_items(newest).stop - 1
        while newest is not None and self.form(last) is OUT:
            last -= 1
        return last

    def _drop(self, slot: int) -> None:
        gone = self._inserts.pop(slot, None)
        if gone is not None:
            self.tokens -= gone.tokens
            self.units -= gone.units

    def _move(self, at: int, *, gone: bool) -> None:
        item = self.items[at]
        turn = item.turn
        if turn < 0:
            return
        change = 1 if gone else -1
        self.messages -= change
        missing = self._gone[turn] = self._gone.get(turn, 0) + change
        heads, next_turn = self._layout.heads, turn + 1
        whole = (heads[next_turn] if next_turn < self._begun else self.held) - heads[turn]
        if gone and missing == whole:
            del self._turns[bisect_left(self._turns, turn)]
        elif not gone and missing == whole - 1:
            insort(self._turns, turn)
        if item.role == TOOL:
            self._up_to_date().move(item, gone=gone)
