"""Which formats are there? One line each; a module is imported on first use."""

from __future__ import annotations

from windowkeeper_cli.model.registry import Registry

FORMATS = Registry(
    "format",
    "windowkeeper_cli.formats",
    (
        ("windowkeeper", "windowkeeper"),
        ("claude-code", "claude_code"),
        ("anthropic", "anthropic"),
        ("openai-chat", "openai_chat"),
    ),
)
