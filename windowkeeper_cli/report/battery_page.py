"""The page of the battery: each fault with the smallest transcript that shows it, then what holds."""

from __future__ import annotations

import json
from collections.abc import Iterator

from windowkeeper_cli.replay.battery.battery import Found
from windowkeeper_cli.report.battery import BatteryReport, numbered
from windowkeeper_cli.report.heading import several
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    GOOD,
    STRONG,
    WARN,
    WORD,
    Cell,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Part,
    Sheet,
    Table,
)
from windowkeeper_cli.report.subject import RECORDED

SHOWN = 12
"""Messages of a smallest transcript that the page shows; its file, and the document, have all."""
LONGEST = 160
"""Characters of a message that the page shows."""
FOLDER = "smallest"
Row = tuple[Cell, ...]


def page_of(report: BatteryReport) -> Sheet:
    """Return the page of a report."""
    battery, policy = report.battery, report.policy
    mode = "RECORDED:" if report.mode == RECORDED else "WHAT-IF"
    parts: list[Part] = [several(battery.asked.times, "transcript"), ("seed", battery.asked.seed)]
    if battery.left_out:
        parts.append((battery.left_out, "of them cannot be measured"))
    parts.append((Marked(mode, STRONG), "policy", policy.name, policy.id))
    columns = (Column("ok", "", WORD), Column("text", "strategy", DETAIL))
    rows = (*(row for place, one in enumerate(battery.found) for row in _rows(report, place, one)), *_holding(report))
    return Sheet((Lines((Line("battery", tuple(parts)),)), Table(columns, rows)), next=tuple(_next(report)))


def title_of(report: BatteryReport, one: Found) -> str:
    """Return what is broken, and how often, in a line."""
    broken = one.broken
    number = "" if broken.number is None else f"invariant {broken.number}, "
    fault = f" ({broken.fault})" if broken.fault else ""
    times = f"{one.transcripts:,} of {several_words(report.battery.asked.times)}"
    return f"{number}{broken.name}{fault}: on {times}"


def several_words(count: int) -> str:
    """Return a number of transcripts in words."""
    return f"{count:,} transcript" if count == 1 else f"{count:,} transcripts"


def evidence(report: BatteryReport, place: int) -> tuple[str, ...]:
    """Return what the smallest transcript shows, under which options, and the transcript itself, a message a line."""
    one = report.battery.found[place]
    trial, file = one.smallest, report.file_of(place)
    messages = trial.document["messages"]
    rest = {key: value for key, value in trial.document.items() if key not in ("format", "messages")}
    where = "" if one.broken.call is None else f"call {one.broken.call}   "
    kept = "" if file is None else f", in {file}"
    count = "1 message" if len(messages) == 1 else f"{len(messages):,} messages"
    lines = [
        f"{where}{one.broken.text}",
        f"the smallest transcript that shows it has {count}{kept}, under {' '.join(report.options(trial))}",
    ]
    lines += [f"  {_clipped(json.dumps(message, ensure_ascii=False))}" for message in messages[:SHOWN]]
    lines += [f"  and {len(messages) - SHOWN:,} more"] if len(messages) > SHOWN else []
    lines += [f"  {_clipped(json.dumps(rest, ensure_ascii=False))}"] if rest else []
    return tuple(lines)


def _clipped(text: str) -> str:
    """Return a message's JSON without the middle of a long one, which says how many characters are left out."""
    left = len(text) - LONGEST
    return text if left <= 0 else f"{text[: LONGEST // 2]} ({left:,} more) {text[-LONGEST // 2 :]}"


def _rows(report: BatteryReport, place: int, one: Found) -> Iterator[Row]:
    yield (Marked("known", WARN) if one.known else Marked("FAIL", BAD), title_of(report, one))
    for line in evidence(report, place):
        yield ("", f"  {line}")


def _holding(report: BatteryReport) -> Iterator[Row]:
    battery, given_up = report.battery, [str(number) for _, number in numbered() if number in report.gives_up]
    spared = f"; {', '.join(given_up)} given up by the strategy's definition" if given_up else ""
    visits = f"{battery.visits:,} visits ({battery.changed:,} changed something)"
    if report.held:
        yield (Marked("ok", GOOD), f"{', '.join(report.held)}: at {visits}{spared}")
    if battery.visits and not battery.changed:
        yield (Marked("warn", WARN), "it changed nothing on any of them, so little is tested: see its settings (--set)")


def _next(report: BatteryReport) -> Iterator[Command]:
    found, asked = report.battery.found, report.battery.asked
    counter = () if asked.counter is None else ("--counter", asked.counter)
    again = ("windowkeeper", "check", "--battery", *report.policy.words, *counter)
    if not found:
        yield Command((*again, "--seed", str(asked.seed + 1), "--times", str(10 * asked.times)))
        return
    file = report.file_of(0)
    if file is not None:
        yield Command(report.command(0, file))
    else:
        yield Command((*again, "--seed", str(asked.seed), "--times", str(asked.times), "--save", FOLDER))
    if found[0].broken.number is not None:
        yield Command(("windowkeeper", "rules", found[0].broken.name))
