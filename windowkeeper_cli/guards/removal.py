"""Planning a removal: the first contiguous run of turns that may leave, and every refusal on the way to it.

Source: agentfootprint 9.62.0, the window strategies' removal plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.pins import Observations
from windowkeeper_cli.guards.split_pair import awaits
from windowkeeper_cli.guards.window_turns import WindowTurn, newest, oldest_first
from windowkeeper_cli.model.decision import Form, Refusal
from windowkeeper_cli.model.item import SUMMARY_PREFIX, USER

INSIDE = "inside-keep-window"
LONE_SUMMARY = "only-existing-summary"
SPLIT_PAIR = "split-pair"
CURRENT_REQUEST = "current-request"


class Removal(NamedTuple):
    """The span that may leave (empty: none may) with the refusals, all in positions before the visit.

    `items` are the transcript positions of the span, `tokens` is what it takes. `kept_at_head` says that only the
    current request stands before it.
    """

    span: tuple[WindowTurn, ...]
    items: tuple[int, ...]
    refusals: tuple[Refusal, ...]
    kept_at_head: bool = False
    observations: Observations | None = None
    tokens: int = 0

    @property
    def messages(self) -> int:
        """Return the number of messages of the span, texts of ours counted."""
        return sum([turn.length for turn in self.span])

    def refused(self, reason: str) -> Refusal:
        """Return a refusal of the whole span, in the place of its first message."""
        return refusal_of(self.span[0], reason, self.tokens)


def plan(case: Case, reason_of: Callable[[int], str | None], keep: int, lone_summary: bool, strict: bool) -> Removal:
    """Return the first run of turns, older than the newest `keep`, that nothing holds.

    With `lone_summary` a span of one existing summary is refused. With `strict` a call and its answer in another
    turn are in the span together or not at all.
    """
    view = case.view
    outside = max(0, view.turn_count - keep)
    inside = [refusal_of(turn, INSIDE, _tokens(case, turn)) for turn in newest(view, view.turn_count - outside)]
    split: set[int] = set()
    while True:
        span, refusals = _walk(case, reason_of, outside, split)
        parted = _parted(case, span) if strict else set()
        if not parted:
            break
        split |= parted
    kept_at_head = bool(
        span
        and span[0].turn_index == 1
        and refusals
        and refusals[0].turn_index == 0
        and refusals[0].reason == CURRENT_REQUEST
    )
    if lone_summary and len(span) == 1 and _is_summary(case, span[0]):
        refusals.append(refusal_of(span[0], LONE_SUMMARY, _tokens(case, span[0])))
        span = []
    tokens = sum([_tokens(case, turn) for turn in span])
    items = tuple([at for turn in span for at in turn.items])
    return Removal(tuple(span), items, (*refusals, *inside), kept_at_head, tokens=tokens)


def refusal_of(turn: WindowTurn, reason: str, tokens: int) -> Refusal:
    """Return the refusal of a window turn, with its places in the transcript and in the window."""
    turn_index, message_index, number, items, _ = turn
    return Refusal(reason, number, items[0] if items else turn.slot // 2, tokens, "turn", turn_index, message_index)


def _walk(
    case: Case, reason_of: Callable[[int], str | None], outside: int, split: set[int]
) -> tuple[list[WindowTurn], list[Refusal]]:
    span: list[WindowTurn] = []
    refusals: list[Refusal] = []
    for turn in oldest_first(case.view):
        if turn.turn_index >= outside:
            break
        reason = None if turn.insert is not None else reason_of(turn.turn)
        if reason is None and turn.turn in split:
            reason = SPLIT_PAIR
        if reason is None:
            span.append(turn)
            continue
        refusals.append(refusal_of(turn, reason, _tokens(case, turn)))
        if span:
            break
    return span, refusals


def _parted(case: Case, span: list[WindowTurn]) -> set[int]:
    """Return the turns of the span that would leave a partner behind in the window, or one that is still to come."""
    inside = {turn.turn for turn in span if turn.insert is None}
    return {
        turn
        for turn in inside
        if awaits(case, turn) or any(other not in inside and _stands(case, other) for other in case.partners(turn))
    }


def _stands(case: Case, turn: int) -> bool:
    return any(case.view.form(at) is not Form.OUT for at in case.view.turn_items(turn))


def _is_summary(case: Case, turn: WindowTurn) -> bool:
    if turn.insert is not None:
        return turn.insert.text.startswith(SUMMARY_PREFIX)
    return case.item(turn.items[0]).role == USER and case.text(turn.items[0]).startswith(SUMMARY_PREFIX)


def _tokens(case: Case, turn: WindowTurn) -> int:
    return turn.insert.tokens if turn.insert is not None else case.view.turn_tokens(turn.turn)
