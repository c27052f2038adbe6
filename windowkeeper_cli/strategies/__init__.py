"""When to act: one strategy a module; a policy names exactly one."""

from windowkeeper_cli.model.registry import Registry

STRATEGIES = Registry(
    "strategy",
    "windowkeeper_cli.strategies",
    (
        ("windowkeeper", "windowkeeper"),
        ("none", "none"),
        ("sliding-window", "sliding_window"),
        ("token-budget", "token_budget"),
        ("summarize-oldest", "summarize_oldest"),
    ),
)
