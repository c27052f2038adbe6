"""Trace: the life of one thing in a session's windows, and what still names it at the last call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.item import ASSISTANT, Item
from windowkeeper_cli.model.ledger import DecisionLine, Step
from windowkeeper_cli.replay.gaps.finding import GapWatch
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.replay.trace_names import Namer, namers_of, speaker, standing_blocks
from windowkeeper_cli.replay.trace_target import WORDS, Target, Use

CAME, MOVED, LEFT, NAMED, USED, GAP, BACK = "came", "moved", "left", "named", "used", "gap", "came back"
STANDING = frozenset({Form.FULL, Form.TRUNCATED})
"""Forms in which an item's own text stands, all of it or a part."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to the target at a call: to the item at `at`, or by a text of ours (`at` is None).

    `kind` says who named it, or the family of the tool that used or gave it. `line` is the decision that moved it,
    `use` the tool call that used or gave it, `sizes` the tokens of the window before and after that visit.
    `standing` is how many items that gave it stood in the window then; where none did, `away` is how many calls
    before the last of them left, None where none had come. `gap` is the evidence gap that a use of it was; its item
    is the one that used it.
    """

    call: int
    event: str
    at: int | None
    item: str
    kind: str = ""
    line: DecisionLine | None = None
    sizes: tuple[int, int] | None = None
    use: Use | None = None
    standing: int = 0
    away: int | None = None
    gap: Gap | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """The life of a target up to call `call`, and how it stands there.

    `forms` has the form of each item that came, `tokens` what it takes now; `holding` are those that have its text
    in the window, all of it or, but for a text, a part. `later` are items that come after the call, `first` is the
    call that the next of them comes with. `present` are the places, and for texts of ours the ids, of all that
    `events` name and that stands there in full or truncated. `lines` counts the different lines, long enough to
    tell, of what is not in the window.
    """

    target: Target
    call: int
    events: tuple[Event, ...]
    forms: dict[int, Form]
    tokens: dict[int, int]
    holding: frozenset[int]
    later: tuple[int, ...]
    first: int | None
    namers: tuple[Namer, ...]
    present: frozenset[int | str] = frozenset()
    lines: int = 0


def trace_of(session: Session, steps: Iterable[Step], target: Target) -> Trace:
    """Run the session's steps and return the target's life up to the last of them."""
    life = _Life(session, target, GapWatch(session))
    for step in steps:
        life.take(step)
    return life.trace()


@dataclass(slots=True)
class _Life:
    """What has happened so far; grows with each step by what is new in it."""

    session: Session
    target: Target
    watch: GapWatch
    call: int = 0
    seen: int = 0
    last_left: int | None = None
    standing: int = 0
    events: list[Event] = field(default_factory=list)
    named: list[int] = field(default_factory=list)
    sources: frozenset[int] = frozenset()
    uses: dict[int, list[Use]] = field(default_factory=dict)
    givers: dict[int, Use] = field(default_factory=dict)
    answers: frozenset[int] = frozenset()
    mentions: frozenset[int] | None = None

    def __post_init__(self) -> None:
        self.sources = frozenset(self.target.items)
        self.mentions = None if self.target.mentions is None else frozenset(self.target.mentions)
        self.answers = frozenset(use.answer for use in self.target.uses)
        for use in self.target.uses:
            self.uses.setdefault(use.at, []).append(use)
            self.givers.setdefault(use.answer if use.answer in self.sources else use.at, use)

    def take(self, step: Step) -> None:
        """Note what came with a call, what its visit moved, and what its reply used and named."""
        transcript, held = self.session.transcript, self.session.fold.held
        self.call = step.call
        for at in range(self.seen, held):
            self._arrive(transcript.items[at])
        self.seen = held
        sizes = None if step.visit is None else (step.visit.tokens_before, step.visit.tokens_after)
        for line in step.lines:
            self._move(line, sizes)
        if step.call <= len(transcript.calls):
            self._reply(transcript.items[transcript.calls[step.call - 1].at])
        for gap in self.watch.take(step):
            if gap.source in self.sources:
                self._need(gap)

    def trace(self) -> Trace:
        """Return what the steps so far amount to."""
        session, target, fold = self.session, self.target, self.session.fold
        came = [at for at in target.items if at < fold.held]
        later = tuple(at for at in target.items if at >= fold.held)
        forms = {at: fold.form(at) for at in came}
        holding = frozenset(at for at in came if self._holds(at, forms[at]))
        lost = [at for at in came if at not in holding]
        namers, lines = namers_of(session, target, self.named, lost)
        starts = [call.at for call in session.transcript.all_calls()]
        first = next((number for number, start in enumerate(starts, 1) if later and start > later[0]), None)
        sizes = {at: fold.size(at) for at in came}
        return Trace(
            target,
            self.call,
            tuple(self.events),
            forms,
            sizes,
            holding,
            later,
            first,
            namers,
            self._present(),
            lines,
        )

    def _present(self) -> frozenset[int | str]:
        fold = self.session.fold
        places = {event.at for event in self.events if event.at is not None and event.at < fold.held}
        return frozenset(
            [*(at for at in places if fold.form(at) in STANDING), *(insert.item for insert in fold.inserted())]
        )

    def _arrive(self, item: Item) -> None:
        if item.at in self.sources:
            away = self._away()
            self.standing += 1
            self._add(CAME, item, self._kind(item), away, self.givers.get(item.at))
        elif item.role != ASSISTANT and self._names(item.at):
            self.named.append(item.at)
            if item.at not in self.answers:
                self._add(NAMED, item, speaker(item))

    def _move(self, line: DecisionLine, sizes: tuple[int, int] | None) -> None:
        if line.at is None:
            if line.action == "insert" and self.target.stands_in((line.text or "").replace(line.item, "")):
                self.events.append(
                    Event(self.call, NAMED, None, line.item, line.stands or "", line, standing=self.standing)
                )
            return
        if line.at not in self.sources or not line.moves:
            return
        before, after = line.form_before in STANDING, line.form_after in STANDING
        self.standing += int(after) - int(before)
        event = BACK if line.form_after is Form.FULL or (after and not before) else MOVED
        if before and not after:
            event, self.last_left = LEFT, self.call
        kind = self._kind(self.session.transcript.items[line.at])
        self.events.append(Event(self.call, event, line.at, line.item, kind, line, sizes, standing=self.standing))

    def _reply(self, item: Item) -> None:
        """Note what the message that a call produced does: it stands in no window before the next call."""
        if item.at in self.sources:
            return
        for use in self.uses.get(item.at, ()):
            self._add(USED, item, use.family, self._away(), use)
        if self._names(item.at):
            self.named.append(item.at)
            if item.at not in self.uses:
                self._add(NAMED, item, speaker(item))

    def _need(self, gap: Gap) -> None:
        """Note that something of it was used, and no source of that stood in the window."""
        at = gap.source if gap.used_by is None else gap.used_by
        item_id = "" if at is None else self.session.transcript.items[at].id
        use = next((use for use in self.target.uses if use.answer == at), None)
        self.events.append(
            Event(self.call, GAP, at, item_id, gap.kind, use=use, standing=self.standing, away=gap.distance, gap=gap)
        )

    def _add(self, event: str, item: Item, kind: str, away: int | None = None, use: Use | None = None) -> None:
        standing = self.standing
        self.events.append(Event(self.call, event, item.at, item.id, kind, use=use, standing=standing, away=away))

    def _kind(self, item: Item) -> str:
        """Return the family of the tool that gave an item, else who it is by."""
        use = self.givers.get(item.at)
        return speaker(item) if use is None else use.family

    def _away(self) -> int | None:
        """Return how many calls ago the last of the items left, None where one stands or none has left."""
        return None if self.standing or self.last_left is None else self.call - self.last_left

    def _names(self, at: int) -> bool:
        if self.mentions is not None:
            return at in self.mentions
        own = [use.call_id for use in self.uses.get(at, ())]
        return self.target.named_by(self.session.transcript.blocks(at), own)

    def _holds(self, at: int, form: Form) -> bool:
        """Return whether the window has an item's own text; where a text is traced, that very text."""
        if form is Form.FULL or self.target.kind != WORDS:
            return form in STANDING
        kept = form is Form.TRUNCATED or (form is Form.CLEARED and not self.session.transcript.items[at].is_result)
        return kept and self.target.named_by(standing_blocks(self.session, at))
