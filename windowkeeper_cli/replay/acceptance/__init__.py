"""What a provider demands of a request: one rule a module; which provider demands it is data beside the rule."""

from windowkeeper_cli.model.registry import Registry

ACCEPTANCE = Registry(
    "acceptance rule",
    "windowkeeper_cli.replay.acceptance",
    (
        ("result-without-call", "result_without_call"),
        ("call-without-result", "call_without_result"),
        ("results-first", "results_first"),
        ("duplicate-result", "duplicate_result"),
        ("duplicate-call-id", "duplicate_call_id"),
        ("first-message", "first_message"),
        ("empty-content", "empty_content"),
        ("thinking-kept", "thinking_kept"),
        ("reasoning-followed", "reasoning_followed"),
        ("part-counts", "part_counts"),
        ("alternation", "alternation"),
    ),
)
