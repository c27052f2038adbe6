"""Which objects are Inspect's own: a log around its evaluation, and a sample?"""

from __future__ import annotations

from typing import Any

_LOG = ("plan", "results", "stats", "samples", "status")
_SAMPLE = ("input", "target", "scores", "events", "model_usage")


def is_log(value: Any) -> bool:
    """Return whether a value is a log, or the header of one."""
    told = value.get("eval") if isinstance(value, dict) else None
    return isinstance(told, dict) and "task" in told and any(key in value for key in _LOG)


def is_sample(value: Any) -> bool:
    """Return whether a value is one sample with its messages."""
    if not isinstance(value, dict) or "epoch" not in value or "id" not in value:
        return False
    return isinstance(value.get("messages"), list) and any(key in value for key in _SAMPLE)
