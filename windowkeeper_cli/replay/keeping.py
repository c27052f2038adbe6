"""What does a harness send now? One visit, after those that the archive knows of: the window, and why it is so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from windowkeeper_cli import __version__
from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.counter import Counter, Counts
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.plan import Plan, Planned
from windowkeeper_cli.model.sent import Window
from windowkeeper_cli.model.settings import Policy
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.ledger import line_bytes
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.replay.window import window_of

if TYPE_CHECKING:
    from windowkeeper_cli.archive.archive import Archive

Line = Mapping[str, object]


class Kept(NamedTuple):
    """The window to send at this call, and the ledger lines of every visit so far, this one's last."""

    window: Window
    ledger: tuple[Line, ...]

    @property
    def new(self) -> tuple[Line, ...]:
        """Return the lines of this call's visit; none where nothing was to be decided."""
        number = self.window.transcript.next_call.number
        return tuple(line for line in self.ledger if line["call"] == number)


def keep(
    transcript: Transcript, policy: Policy | None = None, *, archive: Archive, counter: Counter | str = "estimate"
) -> Kept:
    """Return what to send with the whole transcript: pure over its inputs, the archive among them; no clock, no model.

    The archive takes every item, verbatim, before anything may leave, and the visit. The visits that it holds of this
    transcript stand as they were made, also under another policy or counter, and an unchanged transcript changes
    nothing; visits at items that the transcript no longer has are forgotten. Without a policy the default one holds.
    `counter` is a counter's name or one of your own. Raises UsageError for a counter or strategy that is not known,
    CompactionUnmeasurableError for a strategy that reads reported figures where there are none.
    """
    for item in transcript.items:
        if not archive.holds(item.id):
            archive.put(item, _Alone(transcript.blocks(item.at)))
    settings, counts = policy or Policy(), _counted(transcript, counter)
    made, digests = _known(archive.plan, transcript)
    mark = _mark(settings, counts)
    last_other = max((n for n, planned in enumerate(made) if planned.policy != mark), default=-1)
    session = Session(transcript, counts, settings, archive=archive)
    if not _begin(session, made, last_other + 1):
        session = Session(transcript, counts, settings, archive=archive)
        _begin(session, made, len(made))
    call = transcript.next_call
    if not made or made[-1].call != call or made[-1].policy != mark:
        lines = _lines(session.step(call, paused=transcript.paused))
        made.append(Planned(call, digests[call.at], lines, transcript.paused, mark))
    archive.save_plan(tuple(made))
    return Kept(window_of(session), tuple(line for planned in made for line in planned.lines))


def _begin(session: Session, known: list[Planned], imposed: int) -> bool:
    """Bring a session to where the visits before left it, the first `imposed` of them as their lines say.

    The others, those since the policy was last changed, are made again, so that the strategy knows what it did.
    Return whether they came out as they were: what a later message says of earlier ones (a flagged task, a result that
    came late) can change that, and then what was decided stands all the same.
    """
    for planned in known[:imposed]:
        session.impose(planned.call, planned.lines)
    for planned in known[imposed:]:
        lines = _lines(session.step(planned.call, paused=planned.paused))
        if list(map(line_bytes, lines)) != list(map(line_bytes, planned.lines)):
            return False
    return True


def _mark(settings: Policy, counts: Counts) -> str:
    """Return a digest of what decisions depend on beside the transcript."""
    return sha256(repr((__version__, settings, counts.counter.label.name)).encode()).hexdigest()


class _Alone:
    """The blocks of one item: an archive that outlives a transcript holds no more of it."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def blocks(self, at: int) -> Blocks:
        del at
        return self._blocks

    def raw(self, at: int) -> bytes:
        raise UsageError(f"item {at} came from no file", "recall it without its raw bytes")

    def measured(self, at: int, measure: object) -> None:
        del at, measure


def _counted(transcript: Transcript, counter: Counter | str) -> Counts:
    if isinstance(counter, str):
        from windowkeeper_cli.tokens import counts

        return counts(transcript, counter)
    tokens = tuple(counter.blocks(transcript.blocks(item.at)) for item in transcript.items)
    return Counts(tokens, counter, explicit=True)


def _known(plan: Plan, transcript: Transcript) -> tuple[list[Planned], list[str]]:
    """Return the visits whose items the transcript begins with, and the digest of the items before each position."""
    digests = list(_digests(transcript))
    known: list[Planned] = []
    for planned in plan:
        at = planned.call.at
        if at >= len(digests) or digests[at] != planned.items:
            break
        known.append(planned)
    return known, digests


def _digests(transcript: Transcript) -> Iterator[str]:
    running = sha256()
    yield running.hexdigest()
    for item in transcript.items:
        running.update(item.id.encode() + b"\n")
        yield running.hexdigest()


def _lines(step: Step) -> tuple[Line, ...]:
    lines = tuple(line.as_dict() for line in step.lines)
    return lines if step.visit is None else (*lines, step.visit.as_dict())
