"""Which events of a Copilot CLI session bring the model nothing? Names as the Copilot SDK publishes them.

Source: session-events.schema.json of github.com/github/copilot-sdk.
"""

from __future__ import annotations

SILENT = frozenset(
    (
        "abort", "assistant.idle", "assistant.intent", "assistant.message_delta", "assistant.message_start",
        "assistant.reasoning", "assistant.reasoning_delta", "assistant.streaming_delta", "assistant.tool_call_delta",
        "assistant.turn_end", "assistant.turn_start", "capabilities.changed", "command.completed", "command.execute",
        "command.queued", "commands.changed", "elicitation.completed", "elicitation.requested",
        "exit_plan_mode.completed", "exit_plan_mode.requested", "external_tool.completed", "external_tool.requested",
        "hook.end", "hook.progress", "hook.start", "mcp.oauth_completed", "mcp.oauth_required", "model.call_failure",
        "model.call_finished", "pending_messages.modified", "permission.completed", "permission.requested",
        "sampling.completed", "sampling.requested", "session.background_tasks_changed", "session.compaction_start",
        "session.context_changed", "session.custom_agents_updated", "session.error", "session.extensions_loaded",
        "session.handoff", "session.idle", "session.info", "session.mcp_server_status_changed",
        "session.mcp_servers_loaded", "session.mode_changed", "session.model_change", "session.permissions_changed",
        "session.plan_changed", "session.remote_steerable_changed", "session.skills_loaded", "session.task_complete",
        "session.title_changed", "session.todos_changed", "session.tools_updated", "session.usage_checkpoint",
        "session.usage_info", "session.warning", "session.workspace_file_changed", "skill.invoked",
        "subagent.completed", "subagent.configured", "subagent.deselected", "subagent.failed", "subagent.selected",
        "subagent.started", "tool.execution_partial_result", "tool.execution_progress", "tool.execution_start",
        "tool.user_requested", "user_input.completed", "user_input.requested",
    )
)  # fmt: skip
