"""What every JSON document begins and ends with: transcript, policy, counter, notes, assumptions."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli import __version__
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.report.subject import NamedPolicy, Subject

SCHEMA = 1
UNSURE = ("read in source", "second-hand")
"""Certainties of a preset that a report counts among its assumptions."""
Assumption = tuple[str, int, str]
"""A name, how often it was made, and a sentence that says it."""


def envelope(
    report: str, subject: Subject, body: dict[str, object], more: Sequence[Assumption] = ()
) -> dict[str, object]:
    """Return the document of a report on one transcript; `body` are its own keys, `more` its own assumptions."""
    return {
        **_opening(report, subject.mode),
        "transcript": transcript_facts(subject.path, subject.transcript),
        "policy": policy_facts(subject.policy),
        "tokens": counter_facts(subject.counts),
        **body,
        "notes": [note(finding) for finding in subject.transcript.findings],
        "assumptions": [{"name": name, "times": times} for name, times, _ in (*assumptions(subject), *more)],
    }


def bare_envelope(
    report: str,
    body: dict[str, object],
    *,
    mode: str | None = None,
    transcript: dict[str, object] | None = None,
    policy: NamedPolicy | None = None,
    tokens: dict[str, object] | None = None,
    notes: list[dict[str, object]] | None = None,
) -> dict[str, object]:
    """Return the document of a report on several transcripts, or on none, or one that counts nothing."""
    return {
        **_opening(report, mode),
        "transcript": transcript,
        "policy": None if policy is None else policy_facts(policy),
        "tokens": tokens,
        **body,
        "notes": notes or [],
        "assumptions": [] if policy is None else [{"name": name, "times": 1} for name in _preset(policy)],
    }


def _opening(report: str, mode: str | None) -> dict[str, object]:
    return {"windowkeeper": __version__, "report": report, "schema": SCHEMA, "mode": mode}


def transcript_facts(name: str, transcript: Transcript) -> dict[str, object]:
    """Return which transcript a report speaks of; several files have the hash of their first one."""
    files = transcript.files
    return {
        "path": name,
        "format": transcript.format,
        "session": transcript.session,
        "agent": transcript.agent,
        "calls": len(transcript.calls),
        "items": len(transcript.items),
        "turns": turns_of(transcript),
        "requests": requests_of(transcript),
        "notUnderstood": transcript.log.not_understood,
        "bytes": sum(file.bytes for file in files) if files else None,
        "sha256": files[0].sha256 if files else None,
    }


def policy_facts(policy: NamedPolicy) -> dict[str, object]:
    """Return which policy a report speaks of."""
    return {
        "name": policy.name,
        "id": policy.id,
        "strategy": policy.settings.strategy,
        "from": policy.origin,
    }


def counter_facts(counts: Counts) -> dict[str, object]:
    """Return what the report's token figures count."""
    label = counts.counter.label
    return {
        "counter": label.name,
        "measured": label.measured,
        "charsPerToken": _rounded(label.chars_per_token),
        "unseenPrefix": label.unseen_prefix,
        "fittedOn": label.fitted_on,
        "errorMedian": _rounded(label.error_median),
        "errorP90": _rounded(label.error_p90),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def note(finding: Finding) -> dict[str, object]:
    """Return a finding as a note; what is only new to us is a hint, the rest a warning."""
    return {
        "level": "warning" if finding.is_fault else "hint",
        "where": finding.where,
        "kind": finding.kind,
        "text": finding.text,
    }


def turns_of(transcript: Transcript) -> int:
    """Return how many turns a transcript has."""
    return transcript.items[-1].turn + 1 if transcript.items else 0


def requests_of(transcript: Transcript) -> int:
    """Return how many requests a transcript holds."""
    return sum(1 for item in transcript.items if item.request)


def assumptions(subject: Subject) -> list[Assumption]:
    """Return what a what-if report takes for granted about this transcript."""
    found: list[Assumption] = [
        ("recorded-answers", len(subject.transcript.calls), "the model's answers are the recorded ones")
    ]
    if not subject.counts.counter.label.measured:
        found.append(("estimated-counts", 1, "token counts are not the provider's own"))
    sentence = f"the preset's figures are {subject.policy.certainty}"
    found += [(name, 1, sentence) for name in _preset(subject.policy)]
    hidden = subject.counts.hidden_thinking
    if hidden:
        found.append(("hidden-thinking", hidden, f"{hidden:,} thinking blocks of unknown size count nothing"))
    return found


def _preset(policy: NamedPolicy) -> tuple[str, ...]:
    """Return what is assumed of a preset: nothing where its figures are documented or measured by us."""
    return (f"{policy.certainty.replace(' ', '-')}-preset",) if policy.certainty in UNSURE else ()
