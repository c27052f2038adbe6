"""Dropping a span: the notice ladder, and what the record says of it.

Source: agentfootprint 9.62.0, sliding-window and token-budget.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from windowkeeper_cli.guards.removal import Removal
from windowkeeper_cli.guards.window_turns import oldest_first
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.decision import Insert, Proposal, Refusal, Retract, TakeOut
from windowkeeper_cli.model.item import USER
from windowkeeper_cli.model.payload import item_id, payload
from windowkeeper_cli.rules.visit import Visit
from windowkeeper_cli.strategies.record import span_tools
from windowkeeper_cli.strategies.reference_texts import notice, printable
from windowkeeper_cli.strategies.replacement_not_smaller import NOT_SMALLER


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a drop came to: the removal that took place (None: none did), its notice, and all refusals."""

    removed: Removal | None
    inserted: Insert | None
    refusals: tuple[Refusal, ...]
    tools: tuple[str, ...] = ()


Dropping = Generator[Proposal, None, Dropped]


def drop(visit: Visit, removal: Removal, strategy: str, rule: str) -> Dropping:
    """Take the span out behind the best notice that is smaller than it, or abandon the removal."""
    if not removal.span:
        return Dropped(None, None, removal.refusals)
    tools = span_tools(visit, removal)
    text: str | None = None
    if removal.span[0].message_index == 0 or removal.kept_at_head:
        text = _fitting(visit, removal, strategy, tools)
        if text is None and not removal.kept_at_head and _owed(visit, removal):
            return Dropped(None, None, (removal.refused(NOT_SMALLER), *removal.refusals))
    inserted = None if text is None else text_of_ours(visit, removal, "notice", text, rule)
    yield from take_out(removal, "trim", rule, inserted)
    return Dropped(removal, inserted, removal.refusals, tuple(tools))


def take_out(removal: Removal, action: str, rule: str, inserted: Insert | None) -> Generator[Proposal, None, None]:
    """Propose that the span leaves, and that `inserted` enters in its place; texts of ours in it are absorbed."""
    yield TakeOut(action, rule, removal.items)
    absorbed = [turn.insert.slot for turn in removal.span if turn.insert is not None]
    if inserted is not None:
        yield inserted
    else:
        for slot in absorbed:
            yield Retract(slot, rule, detail="its own turn left")


def text_of_ours(visit: Visit, removal: Removal, stands: str, text: str, rule: str) -> Insert:
    """Return the text that takes the place of the span; it is recalled by the id of its own payload."""
    absorbed = tuple(turn.insert.slot for turn in removal.span if turn.insert is not None)
    blocks = (Text(text),)
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    own_id = item_id(payload(USER, blocks))
    return Insert(
        removal.span[0].slot, stands, own_id, text, visit.counter.blocks(blocks), units, rule, replaces=absorbed
    )


def span_units(visit: Visit, removal: Removal) -> int:
    """Return the UTF-16 length of the span's texts."""
    ours = sum(turn.insert.units for turn in removal.span if turn.insert is not None)
    return ours + sum(visit.view.item_units(at) for at in removal.items)


def _fitting(visit: Visit, removal: Removal, strategy: str, tools: list[str]) -> str | None:
    size = span_units(visit, removal)
    iteration = visit.call.iteration
    for named in (tools, []) if printable(tools) else ([],):
        text = notice(removal.messages, iteration, strategy, request_kept=removal.kept_at_head, tools=named)
        if len(text) < size:
            return text
    return None


def _owed(visit: Visit, removal: Removal) -> bool:
    """Return whether the window would begin with something else than a user message."""
    last = removal.span[-1].turn_index
    for turn in oldest_first(visit.view):
        if turn.turn_index > last:
            return turn.insert is None and visit.item(turn.items[0]).role != USER
    return True
