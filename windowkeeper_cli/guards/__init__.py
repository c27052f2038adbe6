"""Who may not leave: one refusal reason a module, asked in this order; the first that holds is named."""

from windowkeeper_cli.model.registry import Registry

GUARDS = Registry(
    "refusal reason",
    "windowkeeper_cli.guards",
    (
        ("current-request", "current_request"),
        ("system-envelope", "system_envelope"),
        ("paused-tool", "paused_tool"),
        ("pending-check-in", "pending_check_in"),
        ("unresolved-tool-call", "unresolved_tool_call"),
        ("last-tool-result", "last_tool_result"),
        ("inside-keep-window", "inside_keep_window"),
        ("recent-request", "recent_request"),
        ("pinned", "pinned"),
        ("protected-task", "protected_task"),
        ("protected-tag", "protected_tag"),
        ("protected-pattern", "protected_pattern"),
        ("keep-error", "keep_error"),
        ("latest-of-tool", "latest_of_tool"),
        ("resurfaced", "resurfaced"),
        ("excluded-tool", "excluded_tool"),
        ("split-pair", "split_pair"),
    ),
)
