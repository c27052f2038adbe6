"""One pass of the reducer: what its stages share at one visit."""

from __future__ import annotations

from dataclasses import dataclass, field

from windowkeeper_cli.model.block import units_in
from windowkeeper_cli.model.decision import OUT, STUB, Decision, Refusal
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.stub import args_of_call, stub_text
from windowkeeper_cli.rules.visit import Visit


@dataclass(slots=True)
class Pass:
    """A visit with its limit and target in tokens, and the refusals met so far.

    `told` holds the positions already reported as `not-smaller`; it outlives the pass. `moved` are the positions
    that this pass has moved.
    """

    visit: Visit
    limit: int
    target: int
    told: set[int]
    refusals: list[Refusal] = field(default_factory=list)
    moved: set[int] = field(default_factory=set)
    _told_now: list[int] = field(default_factory=list)
    _met: set[tuple[str, str, int]] = field(default_factory=set)

    @property
    def over_target(self) -> bool:
        """Return whether the window is still over the target."""
        return self.visit.view.tokens > self.target

    @property
    def over_limit(self) -> bool:
        """Return whether the window is still over the limit."""
        return self.visit.view.tokens > self.limit

    def refused(self, refusal: Refusal | None) -> bool:
        """Note a refusal, each reason once an item or turn, and return whether there was one."""
        if refusal is None:
            return False
        key = (refusal.reason, refusal.scope, refusal.at)
        if key not in self._met:
            self._met.add(key)
            self.refusals.append(refusal)
        return True

    def stub(self, at: int, action: str, rule: str, detail: str) -> Decision | None:
        """Return the move of an item into a stub; where that is not smaller, say so once, then None."""
        visit = self.visit
        item, blocks = visit.item(at), visit.blocks(at)
        args = args_of_call(visit.blocks(item.answers), item.tool_call_id) if item.answers >= 0 else ""
        text = stub_text(item, blocks, args, visit.view.full_size(at))
        standing = blocks_in_form(blocks, STUB, text, None)
        tokens = visit.counter.blocks(standing)
        form = visit.view.form(at)
        size = visit.view.size(at) if form is not OUT else visit.view.full_size(at)
        if tokens >= size:
            return self.not_smaller(at, rule, f"a stub would take {tokens:,} tokens, it takes {size:,}")
        return Decision(action, rule, at, STUB, tokens, units_in(standing), text=text, detail=detail)

    def not_smaller(self, at: int, rule: str, detail: str) -> Decision | None:
        """Return the note that a stand-in would not be smaller than the item, once per item."""
        if at in self.told:
            return None
        self.told.add(at)
        view = self.visit.view
        self._told_now.append(at)
        units = self.visit.item(at).units
        return Decision("not-smaller", rule, at, view.form(at), view.size(at), units, detail=detail)

    def settle(self) -> None:
        """Forget what was told of items that moved at this visit all the same: their line is the move."""
        self.told.difference_update(at for at in self._told_now if at in self.moved)
