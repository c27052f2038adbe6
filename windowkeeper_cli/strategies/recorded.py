"""Recorded: what the harness itself did to its window, as its log says."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.block import Text, texts_of, units_in, units_of
from windowkeeper_cli.model.decision import Decision, Form, Insert, Removable, Retract
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import USER
from windowkeeper_cli.model.payload import item_id, payload
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.visit import Facts, Moves, Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain

COMPACTION, WINDOW = "compaction", "window"
PLACEHOLDER = "[old tool result cleared by the harness]"
"""Stands for a result that the harness cleared; what it put there itself is not in the log."""
TEXT = RuleText(
    name="recorded",
    kind="strategy",
    what="Replays the harness's own compactions, cleared results and true requests, where its log shows them.",
    why="What did happen is the first thing to know; a recorded window has no guards, and so no refusals.",
    source="the session log's own events",
)
READS: tuple[str, ...] = ()


class Recorded(Plain):
    """Acts at recorded events alone; gives up what a harness does not promise."""

    name = TEXT.name
    reads = READS
    settles = False
    gives_up = (2, 4, 5, 7, 8)

    def __init__(self, settings: Settings) -> None:
        del settings
        self._slot: int | None = None

    def plan(self, visit: Visit) -> Plan:
        """Replay the events between the last call and this one, in their order."""
        if not visit.events:
            return None
        for event in visit.events:
            if event.kind == COMPACTION:
                yield from self._compact(visit, event)
            elif event.kind == WINDOW:
                yield from _differ(visit, event)
            else:
                yield from _clear(visit, event)
        return Facts(("log",), replanned=True)

    def _compact(self, visit: Visit, event: Event) -> Moves:
        """Fold everything before the event but what it kept; its summary stands at the first place that emptied.

        In a log that begins with a compaction nothing stood before it: its summary stands before what follows.
        """
        rule = f"recorded.{COMPACTION}"
        first: int | None = None
        for at in _standing_before(visit, event):
            first = at if first is None else first
            yield Decision("fold", rule, at, Form.OUT, 0, 0, detail=_told(event))
        first = event.at if first is None and _begins(visit, event) else first
        slots = [slot for slot in (self._slot, None if first is None else 2 * first) if slot is not None]
        text = "\n".join(texts_of(event.summary))
        if not slots:
            return
        if not text:
            if self._slot is not None:
                yield Retract(self._slot, rule, detail=_told(event))
                self._slot = None
            return
        blocks = (Text(text),)
        own_id = event.summary_id or item_id(payload(USER, blocks))
        replaces = () if self._slot is None else (self._slot,)
        self._slot = min(slots)
        yield Insert(
            self._slot,
            "summary",
            own_id,
            text,
            visit.counter.blocks(blocks),
            units_of(text),
            rule,
            replaces=replaces,
            detail=f"the harness's own summary, {event.where}",
        )


def _standing_before(visit: Visit, event: Event) -> Iterator[int]:
    for verdict in visit.gate.verdicts():
        if isinstance(verdict, Removable):
            yield from (at for at in verdict.items if at < event.at and at not in event.kept)


def _begins(visit: Visit, event: Event) -> bool:
    """Return whether the window's conversation stands behind an event as a whole."""
    return event.at < visit.call.at and (event.at == 0 or visit.item(event.at - 1).turn < 0)


def _differ(visit: Visit, event: Event) -> Moves:
    """Take out what a true request lacks of the one before it, and bring back what it holds again."""
    rule, gone = f"recorded.{WINDOW}", set(event.left)
    for verdict in visit.gate.verdicts():
        if isinstance(verdict, Removable):
            for at in verdict.items:
                if at in gone:
                    yield Decision("trim", rule, at, Form.OUT, 0, 0, detail=_told(event))
    for at in event.back:
        if visit.view.form(at) is not Form.FULL:
            tokens, units = visit.view.full_size(at), visit.item(at).units
            yield Decision("recall", rule, at, Form.FULL, tokens, units, detail=_told(event))


def _clear(visit: Visit, event: Event) -> Moves:
    """Put items into the form that the log shows, or a placeholder where it only names them."""
    shown = dict(zip(event.cleared, event.shown, strict=False))
    for at in event.cleared:
        if visit.view.form(at) is Form.OUT or visit.gate.may_move(at) is not None:
            continue
        text = "".join(texts_of(shown[at])) if at in shown else PLACEHOLDER
        standing = blocks_in_form(visit.blocks(at), Form.CLEARED, text, None)
        tokens = visit.counter.blocks(standing)
        rule = f"recorded.{event.kind}"
        yield Decision("clear", rule, at, Form.CLEARED, tokens, units_in(standing), text=text, detail=_told(event))


def _told(event: Event) -> str:
    trigger = f"{event.trigger} " if event.trigger else ""
    size = "" if event.pre_tokens is None else f"; {event.pre_tokens:,} tokens before, by its own figure"
    return f"{trigger}{event.kind} at {event.where}{size}"


make = Recorded
