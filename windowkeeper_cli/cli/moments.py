"""Which call `--call` means: a number, next, last, a time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.transcript import Transcript

REPLAN = "replan"
_DAY = 24 * 60 * 60
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(Z|[+-]\d{2}:?\d{2})?", re.ASCII)


def call_number(text: str, transcript: Transcript) -> int | None:
    """Return the number of the call that `text` names, None for `replan`; raise UsageError where there is none."""
    last = len(transcript.calls)
    if text == REPLAN:
        return None
    if text == "next":
        return last + 1
    if text == "last":
        if not last:
            raise UsageError("--call last: the transcript has no recorded call", "use --call next")
        return last
    if text.startswith("@"):
        return _at_time(text, transcript)
    if text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= last + 1:
        return int(text)
    known = f"there are calls 1 to {last:,}, and next ({last + 1:,})" if last else "there is only next (1)"
    raise UsageError(f"--call {text}: no such call", f"{known}; @15:29, last and replan name one too")


def before_it_began(text: str, transcript: Transcript) -> str | None:
    """Return what to say of a time without a date that is before the first call, where a later day has one too."""
    if not text.startswith("@") or _CLOCK.fullmatch(text[1:]) is None:
        return None
    times = [moment for call in transcript.calls if (moment := seconds(call.time)) is not None]
    wanted = _moment(text, times[0])
    if not wanted < times[0] <= wanted + _DAY <= times[-1]:
        return None
    first, later = (datetime.fromtimestamp(moment, UTC) for moment in (times[0], wanted + _DAY))
    return (
        f"--call {text} is before the first call, of {first:%Y-%m-%dT%H:%M}Z; "
        f"write @{later:%Y-%m-%dT%H:%M}Z for the day after"
    )


def _at_time(text: str, transcript: Transcript) -> int:
    timed = [(call.number, moment) for call in transcript.calls if (moment := seconds(call.time)) is not None]
    if not timed:
        raise UsageError(f"--call {text}: the log gives no call a time", "use a number")
    wanted = _moment(text, timed[0][1])
    for number, moment in timed:
        if moment >= wanted:
            return number
    end = datetime.fromtimestamp(timed[-1][1], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    raise UsageError(f"--call {text}: no call at or after it", f"the last one is of {end}")


def _moment(text: str, first: float) -> float:
    """Return seconds for `@...`; a time without a date is the first such time from the first call's day on."""
    body = text[1:]
    clock = _CLOCK.fullmatch(body)
    if clock is None:
        moment = seconds(body)
        if moment is None:
            raise UsageError(f"--call {text}: no time", "write @15:29:30 or @2026-11-29T15:29")
        return moment
    try:
        offset = clock[4] or "Z"
        of_day = time.fromisoformat(f"{int(clock[1]):02}:{clock[2]}:{clock[3] or '00'}{offset}")
    except ValueError:
        raise UsageError(f"--call {text}: no time of a day", "write @15:29:30") from None
    zone = of_day.tzinfo or UTC
    day = datetime.fromtimestamp(first, zone).date()
    return datetime.combine(day, of_day).timestamp()
