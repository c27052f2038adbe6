"""What happened to a window call by call: one policy's run over a transcript, kept whole for a story."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.brief import first_line
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.ledger import DecisionLine, Step
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps.finding import GapWatch
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.report.explain_visits import session_of
from windowkeeper_cli.report.heading import moment, policy_words
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.story import Bound, Marks
from windowkeeper_cli.report.subject import RECORDED, NamedPolicy, Subject

REQUEST_CHARS = 120


class Track(NamedTuple):
    """One policy's run: a step for each call, the next one's too; `limit` is the strategy's own in tokens, if any."""

    title: str
    policy: NamedPolicy
    steps: tuple[Step, ...]
    gaps: tuple[Gap, ...]
    limit: int | None

    def lines(self) -> Iterator[DecisionLine]:
        """Yield the decision lines of all steps."""
        for step in self.steps:
            yield from step.lines


def track_of(subject: Subject) -> Track:
    """Return the run of a subject's own policy, its evidence gaps looked for; raises what `Session` raises."""
    session = session_of(subject)
    watch = GapWatch(session)
    steps = tuple(watch.watch(session.steps()))
    policy = subject.policy
    return Track(policy_words(policy), policy, steps, tuple(watch.gaps), session.strategy.limit)


def labels(transcript: Transcript) -> tuple[str, ...]:
    """Return what each call is: its time as the log has it, the next call marked."""
    times = [moment(call.time) if call.time else "" for call in transcript.calls]
    return (*times, "next call")


def bounds(subject: Subject, track: Track) -> Iterator[Bound]:
    """Yield the limit, the target as the visits had it, and the prompts that were reported where they are recorded."""
    calls = len(track.steps)
    if track.limit is not None:
        yield Bound("limit", (track.limit,) * calls)
    targets = [None if step.visit is None else step.visit.target for step in track.steps]
    if any(target is not None for target in targets):
        yield Bound("target", _carried(targets))
    if track.policy.mode == RECORDED:
        prompts = [None if call.usage is None else call.usage.prompt for call in subject.transcript.calls]
        if any(prompt is not None for prompt in prompts):
            yield Bound("prompt as reported", (*prompts, None))


def _carried(values: Sequence[int | None]) -> tuple[int | None, ...]:
    """Return values with each hole filled by what stood before it, the first holes by the first value."""
    now = next(value for value in values if value is not None)
    found: list[int | None] = []
    for value in values:
        now = now if value is None else value
        found.append(now)
    return tuple(found)


def marks(subject: Subject, track: Track) -> Iterator[Marks]:
    """Yield what happened at which calls: requests, what the log records, what the policy did, gaps; none is empty."""
    recorded = track.policy.mode == RECORDED
    replanned = [] if recorded else [step.call for step in track.steps if step.meter.replanned]
    moved = [step.call for step in track.steps if any(line.moves for line in step.lines)]
    again = set(replanned)
    moved = [] if recorded else [call for call in moved if call not in again]
    found = (
        Marks("request", tuple(_requests(subject))),
        *_events(subject.transcript.events),
        Marks("re-plan", _bare(replanned)),
        Marks("moved items", _bare(moved)),
        Marks("cache prefix broken", _bare(step.call for step in track.steps if step.meter.broken)),
        Marks("over the limit", _bare(step.call for step in track.steps if step.meter.over_limit)),
        Marks("evidence gap", tuple((gap.call, f"{gap.kind}: {gap.use}") for gap in track.gaps)),
    )
    return (one for one in found if one.at)


def _bare(calls: Iterable[int]) -> tuple[tuple[int, str], ...]:
    return tuple((call, "") for call in calls)


def _requests(subject: Subject) -> Iterator[tuple[int, str]]:
    """Yield each call at which another request is being worked on, with the request's first line."""
    before = -1
    for call in subject.transcript.all_calls():
        if call.anchor >= 0 and call.anchor != before:
            yield call.number, about(subject, call.anchor)
        before = call.anchor


def _events(events: Sequence[Event]) -> Iterator[Marks]:
    """Yield the recorded events by kind, in order of first appearance."""
    for kind in dict.fromkeys(event.kind for event in events):
        told = [(event.call, _told(event)) for event in events if event.kind == kind]
        yield Marks(f"recorded {kind}", tuple(sorted(told, key=lambda pair: pair[0])))


def _told(event: Event) -> str:
    size = "" if event.pre_tokens is None else f"{event.pre_tokens:,} tokens before, by its own figure"
    summary = first_line("\n".join(texts_of(event.summary)), REQUEST_CHARS) if event.summary else ""
    return "; ".join(part for part in (event.trigger or "", size, summary) if part)
