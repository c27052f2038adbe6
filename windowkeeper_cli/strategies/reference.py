"""What the reference strategies share: their guards, and how strict pairs change them."""

from __future__ import annotations

from windowkeeper_cli.model.settings import Pins

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
