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
        ("openai-responses", "openai_responses"),
        ("codex", "codex"),
        ("ai-sdk", "ai_sdk"),
        ("langchain", "langchain"),
        ("pydantic-ai", "pydantic_ai"),
        ("gemini", "gemini"),
        ("pi", "pi"),
        ("opencode", "opencode"),
        ("copilot-cli", "copilot"),
        ("swe-agent", "swe_agent"),
        ("inspect", "inspect"),
        ("managed-agents", "managed_agents"),
        ("otel", "otel"),
    ),
)
OUTLINES = Registry(
    "outline",
    "windowkeeper_cli.formats",
    (("claude-code", "claude_code.outline"), ("codex", "codex.outline")),
)
"""Formats whose logs can be counted without their text; a log of another one is loaded whole."""
