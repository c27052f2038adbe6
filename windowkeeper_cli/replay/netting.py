"""Netting: the proposals of one visit applied one by one, and written down as one net line an item."""

from __future__ import annotations

from windowkeeper_cli.guards.gate import Gate
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.decision import SAYING, Decision, Form, Insert, Proposal
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.ledger import DecisionLine
from windowkeeper_cli.replay.fold import Fold, Standing


class UngrantedError(UsageError):
    """A strategy moved something that its gate had not let go; the strategy is at fault, not the input."""


class Netting:
    """Remembers how each touched slot stood before the visit, so that only the net move counts."""

    def __init__(self, fold: Fold, call: Call, anchor: int) -> None:
        self._fold = fold
        self._call = call
        self._anchor = anchor
        self._before: dict[int, tuple[Standing, int]] = {}
        self._inserts_before: dict[int, Insert | None] = {}
        self._last: dict[int, Decision] = {}
        self._said: list[Decision] = []
        self._texts: dict[int, tuple[str, str]] = {}

    def apply(self, proposal: Proposal, gate: Gate) -> None:
        """Apply one proposal; raise UngrantedError where an item would leave without the gate's permission."""
        if isinstance(proposal, Decision):
            self._decide(proposal, gate)
        elif isinstance(proposal, Insert):
            for slot in (*proposal.replaces, proposal.slot):
                self._touch(slot, proposal.rule, proposal.detail)
            self._fold.insert(proposal)
        else:
            self._touch(proposal.slot, proposal.rule, proposal.detail)
            self._fold.retract(proposal)

    def broke_before(self, end: int) -> int | None:
        """Return the lowest slot before `end` that changed, None where the window up to there stands."""
        changed = [2 * at + 1 for at in self._before if 2 * at + 1 < end and self._moved(at)]
        changed += [
            slot
            for slot, insert in self._inserts_before.items()
            if slot < end and _stands(insert) != _stands(self._fold.insert_at(slot))
        ]
        return min(changed, default=None)

    def lines(self) -> tuple[DecisionLine, ...]:
        """Return the decision lines of the visit: net moves in the order of the last decision on each item."""
        moves = [self._item_line(decision) for at, decision in self._last.items() if self._moved(at)]
        said = [
            self._item_line(decision)
            for decision in self._said
            if decision.action == "over-limit" or decision.at not in self._last or not self._moved(decision.at)
        ]
        notes = [line for line in said if line.action != "over-limit"]
        return (*notes, *moves, *self._insert_lines(), *(line for line in said if line.action == "over-limit"))

    def _decide(self, decision: Decision, gate: Gate) -> None:
        at, fold = decision.at, self._fold
        form = fold.form(at)
        if decision.form < form and not gate.granted(at):
            raise UngrantedError(
                f"call {self._call.number}: {decision.action} of item {at} without the gate's permission",
                "a strategy asks verdicts(), plan_removal() or may_move() first",
            )
        if decision.action in SAYING:
            self._said.append(decision)
        else:
            if at not in self._before:
                self._before[at] = (fold.standing(at), 0 if form is Form.OUT else fold.size(at))
            self._last.pop(at, None)
            self._last[at] = decision
        if decision.action not in SAYING or decision.action == "keep":
            fold.apply(decision, self._anchor)

    def _touch(self, slot: int, rule: str, detail: str) -> None:
        self._inserts_before.setdefault(slot, self._fold.insert_at(slot))
        self._texts[slot] = (rule, detail)

    def _moved(self, at: int) -> bool:
        return self._before[at][0] != self._fold.standing(at)

    def _item_line(self, decision: Decision) -> DecisionLine:
        at, fold = decision.at, self._fold
        item = fold.items[at]
        size = fold.size(at) if at < fold.held and fold.form(at) is not Form.OUT else 0
        standing, tokens_before = self._before.get(at, (fold.standing(at), size))
        return DecisionLine(
            call=self._call.number,
            action=decision.action,
            rule=decision.rule,
            item=item.id,
            tokens_before=size if decision.action == "over-limit" else tokens_before,
            tokens_after=size,
            at=at,
            turn=item.turn if item.turn >= 0 else None,
            tool=item.tool_name,
            text=decision.text,
            cut=decision.cut,
            detail=decision.detail,
            holds=dict(decision.holds),
            largest=decision.largest,
            form_before=standing[0],
            form_after=fold.form(at),
        )

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
            call=self._call.number,
            action=action,
            rule=rule,
            item=insert.item,
            tokens_before=before,
            tokens_after=after,
            slot=insert.slot,
            stands=insert.stands,
            text=insert.text if action == "insert" else None,
            detail=detail,
            form_before=Form.OUT if action == "insert" else Form.FULL,
            form_after=Form.FULL if action == "insert" else Form.OUT,
        )


def _stands(insert: Insert | None) -> tuple[str, str, str] | None:
    """Return what of a text of ours a request holds: an equal text in its place breaks no prefix."""
    return None if insert is None else (insert.stands, insert.item, insert.text)
