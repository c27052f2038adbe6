"""The ten invariants: one a module, in the order of their numbers."""

from windowkeeper_cli.model.registry import Registry

INVARIANTS = Registry(
    "invariant",
    "windowkeeper_cli.replay.invariants",
    (
        ("lossless", "lossless"),
        ("current-request-intact", "current_request_intact"),
        ("no-orphans", "no_orphans"),
        ("budget-holds", "budget_holds"),
        ("no-new-removal", "no_new_removal"),
        ("order", "order"),
        ("protected-untouched", "protected_untouched"),
        ("addressable", "addressable"),
        ("ledger-adds-up", "ledger_adds_up"),
        ("deterministic", "deterministic"),
    ),
)
