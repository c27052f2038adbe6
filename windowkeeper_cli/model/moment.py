"""Moments: timestamps of a log as seconds, without a clock."""

from __future__ import annotations

from datetime import UTC, datetime


def seconds(timestamp: str | None) -> float | None:
    """Return seconds since 1970 (UTC unless an offset is given), or None where the text is no ISO 8601 time."""
    if not timestamp:
        return None
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp()
