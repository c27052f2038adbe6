"""What the reference strategies share: their guards, and how strict pairs change them."""

from __future__ import annotations

from windowkeeper_cli.model.settings import Pins
from windowkeeper_cli.strategies.options import require

REFERENCE_GUARDS = (
    "current-request",
    "system-envelope",
    "paused-tool",
    "pending-check-in",
    "unresolved-tool-call",
    "last-tool-result",
    "inside-keep-window",
)
"""Exactly the reference's; what these do not hold, a strategy commits and `check` names."""


def reference_guards(pins: Pins) -> tuple[str, ...]:
    """Return the reference's guards, with `split-pair` where the policy asks for strict pairs."""
    return (*REFERENCE_GUARDS, "split-pair") if pins.strict_pairs else REFERENCE_GUARDS


def pin_limit(pins: Pins) -> int:
    """Return how many turns evidence pins may hold, 0 where they are off; raise UsageError for a wrong number."""
    limit = pins.keep_last_tool_results
    require("agent", "pins", {"keepLastToolResults": False if limit is None else limit})
    return limit or 0
