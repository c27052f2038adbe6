"""Which call `--call` means (spec/2, "Calls")."""

from __future__ import annotations

import pytest

from tests.report.made import made
from windowkeeper_cli.cli.moments import before_it_began, call_number
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.transcript import Transcript

TIMES = ("2026-11-29T10:00:00Z", "2026-11-29T15:29:30Z", "2026-11-29T15:30:00Z", "2026-11-30T09:00:00Z")


def timed() -> Transcript:
    """Return a transcript of four calls at `TIMES`."""
    messages: list[dict[str, object]] = [{"role": "user", "content": "go", "time": TIMES[0]}]
    messages += [{"role": "assistant", "content": time, "time": time} for time in TIMES]
    return made(*messages)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("4", 4),
        ("5", 5),
        ("next", 5),
        ("last", 4),
        ("replan", None),
        ("@15:29", 2),
        ("@15:29:30", 2),
        ("@15:29:31", 3),
        ("@09:00", 1),
        ("@23:00", 4),
        ("@16:29:30+01:00", 2),
        ("@2026-11-29T15:29", 2),
        ("@2026-11-30", 4),
        ("@2026-11-29T17:30:00+02:00", 3),
    ],
)
def test_a_call_by_number_name_or_time(text: str, number: int | None) -> None:
    assert call_number(text, timed()) == number


@pytest.mark.parametrize("text", ["0", "6", "-1", "x", "٣", "@x", "@25:00", "@2026-12-01", "99999999999999999999", ""])
def test_what_names_no_call_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="--call"):
        call_number(text, timed())


def test_a_transcript_without_times_or_calls() -> None:
    bare = made({"role": "user", "content": "go"})
    assert call_number("next", bare) == 1
    with pytest.raises(UsageError, match="no recorded call"):
        call_number("last", bare)
    with pytest.raises(UsageError, match="no call a time"):
        call_number("@10:00", bare)


@pytest.mark.parametrize(
    ("text", "day_after"),
    [("@09:00", "2026-11-30T09:00"), ("@8:59:30", "2026-11-30T08:59"), ("@09:01", None), ("@15:29", None), ("2", None)],
)
def test_a_time_of_day_before_the_first_call_is_doubted_where_the_day_after_has_it(
    text: str, day_after: str | None
) -> None:
    said = before_it_began(text, timed())
    assert (said is None) if day_after is None else (said is not None and f"write @{day_after}Z" in said)
    assert "10:00Z" in (said or "10:00Z")
