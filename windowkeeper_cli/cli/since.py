"""Which moment `--since` means: a date, a time, or an age before now."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.moment import seconds

_AGE = re.compile(r"([0-9]{1,6})([mhdw])")
_UNITS = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def since_moment(text: str) -> float:
    """Return the seconds since 1970 that `text` names; raise UsageError where it names no moment."""
    age = _AGE.fullmatch(text)
    if age is not None:
        return datetime.now(UTC).timestamp() - int(age[1]) * _UNITS[age[2]]
    moment = seconds(text)
    if moment is None:
        raise UsageError(f"--since {text}: no date, time or age", "write 2026-11-29, 2026-11-29T15:29, 7d or 12h")
    return moment
