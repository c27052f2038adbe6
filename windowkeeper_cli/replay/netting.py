"""Netting: the proposals of one visit applied one by one, and written down as one net line an item."""

from __future__ import annotations

from windowkeeper_cli.guards.gate import Gate
from windowkeeper_cli.model.decision import FULL, OUT, SAYING, Decision, Insert, Proposal, TakeOut
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.ledger import NOTHING, DecisionLine
from windowkeeper_cli.replay.answers import Standing
from windowkeeper_cli.replay.fold import IN_FULL, Fold

OVER_LIMIT = "over-limit"
_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor: there is one for every decision."""
Net = tuple[tuple[DecisionLine, ...], int | None]


class UngrantedError(UsageError):
    """A strategy moved something that its gate had not let go; the strategy is at fault, not the input."""


class Netting:
    """Remembers how each touched slot stood before the visit, so that only the net move counts."""

    def __init__(self, fold: Fold, gate: Gate) -> None:
        self._fold = fold
        self._gate = gate
        self._call = 0
        self._anchor = -1
        self._before: dict[int, tuple[Standing, int]] = {}
        self._inserts_before: dict[int, Insert | None] = {}
        self._last: dict[int, Decision | TakeOut] = {}
        self._said: list[Decision] = []
        self._texts: dict[int, tuple[str, str]] = {}

    def begin(self, call: int, anchor: int) -> None:
        """Begin the visit of a call; `anchor` is the request that items are kept for at it."""
        self._call = call
        self._anchor = anchor

    def apply(self, proposal: Proposal) -> None:
        """Apply one proposal; raise UngrantedError where an item would leave without the gate's permission."""
        if isinstance(proposal, Decision):
            self._decide(proposal)
        elif isinstance(proposal, TakeOut):
            self._take_out(proposal)
        elif isinstance(proposal, Insert):
            for slot in (*proposal.replaces, proposal.slot):
                self._touch(slot, proposal.rule, proposal.detail)
            self._fold.insert(proposal)
        else:
            self._touch(proposal.slot, proposal.rule, proposal.detail)
            self._fold.retract(proposal)

    def end(self, sent: int) -> Net:
        """Return the visit's decision lines, and the lowest slot before `sent` that it changed, None: it changed none.

        The lines are net moves in the order of the last decision on each item; what was touched is forgotten.
        """
        if not (self._before or self._said or self._inserts_before):
            return (), None
        others = self._fold.others
        moved = {at for at, before in self._before.items() if before[0] != others.get(at, IN_FULL)}
        net = self._lines(moved), self._broke_before(moved, sent)
        self._before, self._inserts_before, self._last = {}, {}, {}
        self._said, self._texts = [], {}
        return net

    def _broke_before(self, moved: set[int], sent: int) -> int | None:
        found = 2 * min(moved) + 1 if moved else sent
        for slot, insert in self._inserts_before.items():
            if slot < found and _stands(insert) != _stands(self._fold.insert_at(slot)):
                found = slot
        return found if found < sent else None

    def _lines(self, moved: set[int]) -> tuple[DecisionLine, ...]:
        moves = [
            self._out_line(at, move) if isinstance(move, TakeOut) else self._item_line(move)
            for at, move in self._last.items()
            if at in moved
        ]
        if not (self._said or self._inserts_before):
            return tuple(moves)
        said = [
            self._item_line(decision)
            for decision in self._said
            if decision.action == OVER_LIMIT or decision.at not in moved
        ]
        notes = [line for line in said if line.action != OVER_LIMIT]
        return (*notes, *moves, *self._insert_lines(), *(line for line in said if line.action == OVER_LIMIT))

    def _decide(self, decision: Decision) -> None:
        at, fold, action = decision.at, self._fold, decision.action
        standing = fold.others.get(at, IN_FULL)
        form = standing[0]
        if decision.form < form and not self._gate.granted(at):
            raise self._ungranted(action, at)
        if action in SAYING:
            self._said.append(decision)
            if action != "keep":
                return
        else:
            if at not in self._before:
                self._before[at] = (standing, 0 if form is OUT else fold.size(at))
            elif at in self._last:
                del self._last[at]
            self._last[at] = decision
        fold.apply(decision, self._anchor)

    def _take_out(self, proposal: TakeOut) -> None:
        fold, before, last, granted = self._fold, self._before, self._last, self._gate.granted
        others = fold.others
        for at in proposal.items:
            standing = others.get(at, IN_FULL)
            out = standing[0] is OUT
            if not out and not granted(at):
                raise self._ungranted(proposal.action, at)
            if at not in before:
                before[at] = (standing, 0 if out else fold.size(at))
            elif at in last:
                del last[at]
            last[at] = proposal
            if not out:
                fold.take_out(at)

    def _ungranted(self, action: str, at: int) -> UngrantedError:
        return UngrantedError(
            f"call {self._call}: {action} of item {at} without the gate's permission",
            "a strategy asks verdicts(), plan_removal() or may_move() first",
        )

    def _touch(self, slot: int, rule: str, detail: str) -> None:
        self._inserts_before.setdefault(slot, self._fold.insert_at(slot))
        self._texts[slot] = (rule, detail)

    def _item_line(self, decision: Decision) -> DecisionLine:
        at, fold = decision.at, self._fold
        item = fold.items[at]
        standing = fold.others.get(at, IN_FULL)
        form = standing[0]
        size = fold.size(at) if at < fold.held and form is not OUT else 0
        before, tokens_before = self._before.get(at, (standing, size))
        action, rule, _, _, _, _, text, cut, detail, holds, largest = decision
        if action == OVER_LIMIT:
            tokens_before = size
        turn = item.turn if item.turn >= 0 else None
        says = dict(holds) if holds else NOTHING
        sizes = (self._call, action, rule, item.id, tokens_before, size, at, None, None, turn, item.tool_name)
        return _new(DecisionLine, (*sizes, text, cut, detail, says, largest, before[0], form))

    def _out_line(self, at: int, proposal: TakeOut) -> DecisionLine:
        """Return the line of an item that left with others: what `_item_line` says of it, and that is always alike."""
        action, rule, _, detail = proposal
        (form, _, _), size = self._before[at]
        item = self._fold.items[at]
        turn = item.turn if item.turn >= 0 else None
        sizes = (self._call, action, rule, item.id, size, 0, at, None, None, turn, item.tool_name)
        return _new(DecisionLine, (*sizes, None, None, detail, NOTHING, (), form, OUT))

    def _insert_lines(self) -> list[DecisionLine]:
        lines: list[DecisionLine] = []
        for slot in sorted(self._inserts_before):
            before, after = self._inserts_before[slot], self._fold.insert_at(slot)
            rule, detail = self._texts[slot]
            if before is after:
                continue
            if before is not None:
                lines.append(self._text_line("retract", before, before.tokens, 0, rule, detail))
            if after is not None:
                lines.append(self._text_line("insert", after, 0, after.tokens, rule, detail))
        return lines

    def _text_line(self, action: str, insert: Insert, before: int, after: int, rule: str, detail: str) -> DecisionLine:
        return DecisionLine(
            call=self._call,
            action=action,
            rule=rule,
            item=insert.item,
            tokens_before=before,
            tokens_after=after,
            slot=insert.slot,
            stands=insert.stands,
            text=insert.text if action == "insert" else None,
            detail=detail,
            form_before=OUT if action == "insert" else FULL,
            form_after=FULL if action == "insert" else OUT,
        )


def _stands(insert: Insert | None) -> tuple[str, str, str] | None:
    """Return what of a text of ours a request holds: an equal text in its place breaks no prefix."""
    return None if insert is None else (insert.stands, insert.item, insert.text)
