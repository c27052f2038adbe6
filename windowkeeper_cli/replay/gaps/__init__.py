"""Evidence gaps: what left, and was needed afterwards; one kind a module."""

from windowkeeper_cli.model.registry import Registry

GAP_KINDS = Registry(
    "gap kind",
    "windowkeeper_cli.replay.gaps",
    (
        ("re-read", "re_read"),
        ("identifier", "identifier"),
        ("mention", "mention"),
        ("constraint", "constraint"),
        ("request-lost", "request_lost"),
        ("unsourced", "unsourced"),
    ),
)
