"""When to act: one strategy a module; a policy names exactly one."""

from windowkeeper_cli.model.registry import Registry

STRATEGIES = Registry(
    "strategy",
    "windowkeeper_cli.strategies",
    (
        ("windowkeeper", "windowkeeper"),
        ("none", "none"),
        ("sliding-tokens", "sliding_tokens"),
        ("clear-tool-results", "clear_tool_results"),
        ("handles", "handles"),
        ("tiered", "tiered"),
        ("sliding-window", "sliding_window"),
        ("token-budget", "token_budget"),
        ("summarize-oldest", "summarize_oldest"),
        ("recorded", "recorded"),
    ),
)
OUTCOMES = Registry(
    "refusal reason",
    "windowkeeper_cli.strategies",
    (
        ("only-existing-summary", "only_existing_summary"),
        ("summarizer-failed", "summarizer_failed"),
        ("replacement-not-smaller", "replacement_not_smaller"),
    ),
)
"""Refusals that no guard makes: a strategy that replaces what it removes makes them itself."""
