"""Transcripts and windows back into formats: one target a module, imported on first use."""

from __future__ import annotations

from windowkeeper_cli.model.registry import Registry

WRITERS = Registry(
    "target",
    "windowkeeper_cli.formats.writers",
    (
        ("windowkeeper", "windowkeeper"),
        ("anthropic", "anthropic"),
        ("openai-chat", "openai_chat"),
        ("openai-responses", "openai_responses"),
        ("gemini", "gemini"),
        ("ai-sdk", "ai_sdk"),
    ),
)
