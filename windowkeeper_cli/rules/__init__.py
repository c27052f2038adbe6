"""What the windowkeeper reducer does: one stage a module, registered under the name that the ledger gives its rule."""

from windowkeeper_cli.model.registry import Registry

RULES = Registry(
    "rule",
    "windowkeeper_cli.rules",
    (
        ("resurface.identifiers", "resurface"),
        ("expire", "expire"),
        ("toolResults.maxTokensEach", "truncate"),
        ("toolResults.evictAfterTurns", "evict"),
        ("trim.enabled", "trim"),
        ("toolResults.truncateRecent", "truncate_recent"),
        ("budget.max", "over_limit"),
    ),
)
