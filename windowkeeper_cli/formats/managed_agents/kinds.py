"""Which values are events of a managed agent session, and which of them bring the model something?

The names are those of the Managed Agents API (beta managed-agents-2026-04-01), reference of session events.
"""

from __future__ import annotations

from typing import Any

ANSWERS = {
    "agent.tool_result": "tool_use_id",
    "agent.mcp_tool_result": "mcp_tool_use_id",
    "user.tool_result": "tool_use_id",
    "user.custom_tool_result": "custom_tool_use_id",
}
"""Results, and the key that names what each answers."""
ASKS = frozenset(("agent.tool_use", "agent.mcp_tool_use", "agent.custom_tool_use"))
SAYS = frozenset(("agent.message", "agent.thread_message_sent"))
THINKS = "agent.thinking"
OUTPUTS = ASKS | SAYS | {THINKS}
TOLD = frozenset(("user.message", "user.define_outcome", "agent.thread_message_received", "system.message"))
GRADED = "span.outcome_evaluation_end"
COMPACTED = "agent.thread_context_compacted"
STARTS, ENDS = "span.model_request_start", "span.model_request_end"
_SILENT = frozenset(
    (
        "user.interrupt", "user.tool_confirmation", "span.outcome_evaluation_start", "span.outcome_evaluation_ongoing",
        "session.outcome_evaluated",
    )
)  # fmt: skip
_SPOKEN = OUTPUTS | TOLD | ANSWERS.keys() | _SILENT | {GRADED, COMPACTED, STARTS, ENDS}
_SESSION = ("session.status_", "session.thread_", "session.usage", "session.error", "session.updated")


def event_in(value: Any) -> dict[str, Any] | None:
    """Return the event that a value is or wraps, None where it is none that the API writes."""
    event = value["raw"] if is_wrapped(value) else value
    kind = event.get("type") if isinstance(event, dict) and "data" not in event else None
    if not isinstance(kind, str) or not (is_wrapped(value) or "processed_at" in event):
        return None
    return event if kind in _SPOKEN or kind.startswith(_SESSION) else None


def is_wrapped(value: Any) -> bool:
    """Return whether a value keeps an event under `raw`, beside its role and kind."""
    return isinstance(value, dict) and isinstance(value.get("raw"), dict) and "kind" in value


def is_silent(kind: str) -> bool:
    """Return whether events of a kind bring the model nothing."""
    return kind in _SILENT or kind.startswith(_SESSION)


def listed_in(value: Any) -> list[Any]:
    """Return what a value lists: itself, the values of a list, or those of a page of the API."""
    if isinstance(value, list):
        return value
    page = value.get("data") if isinstance(value, dict) and "type" not in value else None
    return page if isinstance(page, list) else [value]
