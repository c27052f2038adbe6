"""Which moment is a number of milliseconds? Logs that count time so are shown as the others are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

_START = datetime(1970, 1, 1, tzinfo=UTC)
_LAST = 253_402_300_799_999


def iso_of(value: Any) -> str | None:
    """Return milliseconds since 1970 as an ISO 8601 time in UTC; None where the value is no such number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LAST:
        return None
    moment = _START + timedelta(milliseconds=int(value))
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
