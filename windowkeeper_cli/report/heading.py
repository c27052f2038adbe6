"""The lines that a page begins and ends with: session, counter, notes, assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.report.envelope import Assumption, assumptions
from windowkeeper_cli.report.sheet import BAD, STRONG, WARN, Cell, Line, Marked, Part
from windowkeeper_cli.report.subject import RECORDED, NamedPolicy, Subject
from windowkeeper_cli.strategies import STRATEGIES

STDIN = "-"
"""The name of standard input, which no later command can read again."""
PLACES = 3
"""Places of one kind of finding that a page names; `info -f json` has all."""


def session_line(subject: Subject, *more: Part) -> Line:
    """Return the line that names transcript, calls, format, mode and policy."""
    transcript, policy = subject.transcript, subject.policy
    word = "RECORDED:" if subject.mode == RECORDED else "WHAT-IF"
    parts: list[Part] = [
        (subject.path,),
        several(len(transcript.calls), "call"),
        (format_name(transcript),),
        (Marked(word, STRONG), policy_name(subject), policy.id),
        *more,
    ]
    return Line("session", tuple(parts))


def call_part(subject: Subject, number: int) -> Part:
    """Return the phrase that names the call a report speaks of, marked where no call came after it."""
    return ("call", number, "(next)") if number == subject.transcript.next_call.number else ("call", number)


def acts_on(policy: NamedPolicy) -> tuple[str, Cell] | None:
    """Return the policy key that makes a strategy act, with its value, None where no one key does."""
    strategy = policy.settings.strategy
    if policy.make is not None or strategy not in STRATEGIES.names:
        return None
    path: str = STRATEGIES.module(strategy).TEXT.key
    section, _, key = path.partition(".")
    if not key:
        return None
    return path, getattr(getattr(policy.settings, _field(section)), _field(key))


def _field(name: str) -> str:
    """Return the settings field of a policy key (`keepRecentTurns`: `keep_recent_turns`)."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)


def limit_parts(policy: NamedPolicy, limit: int | None) -> tuple[Part, ...]:
    """Return the phrase that says when a strategy acts: its limit, else the key that makes it act."""
    if limit is not None:
        return (("limit", limit),)
    found = acts_on(policy)
    return () if found is None else (found,)


def policy_name(subject: Subject) -> str:
    """Return the name of a subject's policy as a page shows it, with the options that changed it."""
    return policy_words(subject.policy)


def policy_words(policy: NamedPolicy) -> str:
    """Return a policy's name as a page shows it, with the options that changed it."""
    if policy.name == RECORDED:
        return "what the harness itself did"
    name = f"{policy.name} policy" if policy.origin == "default" else policy.name
    if policy.origin == "pyproject.toml":
        name = f"[tool.windowkeeper] of {policy.name}"
    return " ".join([name, *(f"--set {key}" for key in policy.sets)])


def format_name(transcript: Transcript) -> str:
    """Return a format's name with the version that wrote the log, where it says so."""
    if transcript.log.version:
        return f"{transcript.format} {transcript.log.version}"
    return transcript.format


def counter_words(subject: Subject) -> str:
    """Return what the report's token figures count, as the counter says it."""
    return f"({subject.counts.counter.label.sentence})"


def moment(time: str) -> str:
    """Return a log's time to the second; one that ends with Z says that it is UTC, another stays as it is."""
    if not time.endswith("Z"):
        return time
    return time[:-1].partition(".")[0].replace("T", " ") + " UTC"


def finding_lines(name: str, findings: Sequence[Finding], not_understood: int = 0, lines: int = 0) -> tuple[Line, ...]:
    """Return a page's notes: one line for each kind of finding, with its first places in the transcript `name`."""
    shown: list[Line] = []
    if not_understood:
        shown.append(Line("notes", ((Marked(f"{not_understood:,} of {lines:,} lines not understood", WARN),),)))
    for kind, group in by_kind(findings):
        label = "" if shown else "notes"
        shown.append(Line(label, ((Marked(kind, WARN), len(group)), (places(name, group),))))
    return tuple(shown)


def places(name: str, group: Sequence[Finding]) -> str:
    """Return the first places of findings; those in the file `name` as its line numbers alone."""
    first = group[:PLACES]
    if all(finding.line is not None and finding.where == f"{name}:{finding.line}" for finding in first):
        words = ", ".join(f"{finding.line:,}" for finding in first)
        words = f"line {words}" if len(group) == 1 else f"lines {words}"
    else:
        words = ", ".join(finding.where for finding in first)
    return words + (f" and {len(group) - PLACES:,} more" if len(group) > PLACES else "")


def place(name: str, where: str) -> str:
    """Return a place in the transcript `name` as its line alone, any other as it is."""
    line = where.removeprefix(f"{name}:")
    return f"line {int(line):,}" if line != where and line.isascii() and line.isdecimal() else where


def several(count: int, one: str, many: str = "") -> Part:
    """Return a count with its noun; `many` where the plural is not `one` with an s."""
    return (count, one if count == 1 else many or f"{one}s")


def subagents_part(count: int) -> Part:
    """Return the phrase that says how many of the sessions are subagents' transcripts."""
    return (count, "of them", "a subagent's" if count == 1 else "subagents'")


def partial_part(left: int) -> Part:
    """Return the phrase that says that the user broke a command off before it reached so many sessions."""
    return (Marked(f"PARTIAL: interrupted, {left:,} more not reached", BAD),)


def by_kind(findings: Iterable[Finding]) -> list[tuple[str, list[Finding]]]:
    """Return findings by kind, in order of first appearance."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.kind, []).append(finding)
    return list(groups.items())


def assumption_line(found: Sequence[Assumption]) -> Line:
    """Return the footer that says what was taken for granted."""
    return Line("assumes", tuple((sentence,) for _, _, sentence in found))


def figures_lines(policy: NamedPolicy) -> tuple[Line, ...]:
    """Return the footer that says of a preset where its figures come from and how sure they are."""
    if not policy.source:
        return ()
    return (Line("figures", ((policy.source, f"({policy.certainty})"),)),)


def footer_lines(subject: Subject, more: Sequence[Assumption] = ()) -> tuple[Line, ...]:
    """Return a page's footer: notes, a preset's figures, and assumptions, `more` being the report's own."""
    log, found = subject.transcript.log, subject.transcript.findings
    return (
        *finding_lines(subject.path, found, log.not_understood, log.lines),
        *figures_lines(subject.policy),
        assumption_line((*assumptions(subject), *more)),
    )
