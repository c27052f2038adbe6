"""Which presets are there: policy files that we ship, one TOML file and one line here each.

A preset holds a policy's keys, and a table `[preset]` with `source` (where its figures come from) and `certainty`
(`documented`, `read in source`, `second-hand` or `ours, measured`).
"""

from __future__ import annotations

PRESETS = (
    "windowkeeper-idle",
    "anthropic-clear-tool-uses",
    "langchain-clear-tool-uses",
    "inspect-edit",
    "opencode-prune",
    "claude-code-auto-compact",
    "claude-code-microcompact",
    "deepagents-offload",
    "strands-offload",
    "article-tiered",
)
CERTAINTIES = ("documented", "read in source", "second-hand", "ours, measured")


def preset_bytes(name: str) -> bytes:
    """Return the file of the preset `name`, one of `PRESETS`."""
    import pkgutil

    data = pkgutil.get_data(__name__, f"{name}.toml")
    assert data is not None
    return data
