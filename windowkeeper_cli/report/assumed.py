"""What a run under a strategy takes for granted: whose figures trigger it, and where its summaries come from."""

from __future__ import annotations

from collections import Counter

from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.replay.session import REPORTED, Session
from windowkeeper_cli.report.envelope import Assumption
from windowkeeper_cli.strategies.summarizer import MODELLED, RECORDED, how_summarized

_SUMMARIES = {
    MODELLED: "{} modelled: a size, and no claim of what a model would have said",
    RECORDED: "{} recorded: the harness's own, from the log",
}


class Assumed:
    """Collects from the steps of a session what its strategy had to take for granted."""

    def __init__(self) -> None:
        self._summaries: Counter[str] = Counter()

    def take(self, step: Step) -> None:
        """Count the summary that a step made, if it made one."""
        how = how_summarized(step)
        if how is not None:
            self._summaries[how] += 1

    def of(self, session: Session) -> tuple[Assumption, ...]:
        """Return what was taken for granted so far."""
        found: list[Assumption] = []
        if session.strategy.needs_reading:
            found.append(_readings(session))
        for how, words in _SUMMARIES.items():
            times = self._summaries[how]
            if times:
                count = f"{times:,} {'summary is' if times == 1 else 'summaries are'}"
                found.append((f"{how}-summaries", times, words.format(count)))
        return tuple(found)


def _readings(session: Session) -> Assumption:
    calls = session.transcript.calls
    if session.counts.counter.label.name == REPORTED:
        times = sum(call.usage is not None for call in calls)
        return "reported-readings", times, "the trigger reads what the provider reported for the recorded windows"
    return "counted-readings", len(calls), "the trigger reads this policy's own windows, as they are counted here"
