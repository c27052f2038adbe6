"""What a replay takes for granted, over all its sessions and policies."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.report.envelope import UNSURE, Assumption
from windowkeeper_cli.report.replay import ReplayReport


def assumed(report: ReplayReport) -> tuple[Assumption, ...]:
    """Return the assumptions that applied, each once."""
    return tuple(_found(report))


def _found(report: ReplayReport) -> Iterator[Assumption]:
    sessions = report.sessions
    if report.left:
        yield "partial", report.left, f"interrupted: {report.left:,} more not reached"
    yield (
        "recorded-answers",
        sum(one.calls for one in sessions),
        "the model's answers are the recorded ones: what a policy would have sent, not what would have come of it",
    )
    if report.terms.assumed and report.terms.limit is not None:
        words = (
            f"nobody gave a limit: {report.terms.limit:,} tokens is the default policy's, for every policy that has one"
        )
        yield "default-limit", 1, words
    estimated = sum(not one.label.measured for one in sessions)
    if estimated:
        where = "" if estimated == len(sessions) else f" in {estimated:,} session{'' if estimated == 1 else 's'}"
        yield "estimated-counts", estimated, f"token counts are not the provider's own{where}"
    yield from _reported(report)
    yield from _of_strategies(report)
    gaps = sum(len(row.gaps or ()) for one in sessions for row in one.rows)
    if gaps:
        yield "least-gaps", gaps, "there are at least so many gaps; in what-if rows they show need, not harm"
    for policy in report.policies:
        if policy.certainty in UNSURE:
            sentence = f"the figures of {policy.name} are {policy.certainty}"
            yield f"{policy.certainty.replace(' ', '-')}-preset", 1, sentence
    hidden = sum(one.hidden for one in sessions)
    if hidden:
        yield "hidden-thinking", hidden, f"{hidden:,} thinking blocks of unknown size count nothing"


def _reported(report: ReplayReport) -> Iterator[Assumption]:
    found = [(one, row.costs.reported) for one in report.sessions for row in one.rows if row.costs is not None]
    times = sum(reported for _, reported in found)
    if times:
        yield "reported-figures", times, "recorded has the provider's own figures: prompt sizes and cache reads"
    apart = [one for one, reported in found if reported and not one.label.unseen_prefix]
    if apart:
        yield (
            "unseen-prefix-in-recorded",
            len(apart),
            "reported prompts hold tools and system text that the log does not; the other rows do not count them",
        )


def _of_strategies(report: ReplayReport) -> Iterator[Assumption]:
    rows = [row for one in report.sessions for row in one.rows]
    counted = sum(row.counted for row in rows)
    if counted:
        words = "triggers read each policy's own windows as counted here, where a harness would read reported tokens"
        yield "counted-readings", counted, words
    for how, times in (
        ("modelled", sum(row.modelled for row in rows)),
        ("recorded", sum(row.recorded for row in rows)),
    ):
        if times:
            what = "a size, no claim of what a model would have said" if how == "modelled" else "the harness's own"
            count = f"{times:,} {'summary is' if times == 1 else 'summaries are'}"
            yield f"{how}-summaries", times, f"{count} {how}: {what}"
