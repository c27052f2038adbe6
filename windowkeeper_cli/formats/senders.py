"""Whose requests does a log's format stand for?"""

from __future__ import annotations

from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple


class Sender(NamedTuple):
    """Who sends what a format holds: its provider (None: the format names none), and whether a harness packs it.

    A log of a harness is no request: when it sends, it puts results first and answers calls that have no result.
    A neutral format goes to the provider of the model that it names, where that is known.
    """

    provider: str | None
    packs: bool = False
    neutral: bool = False


SENDERS: dict[str, Sender] = {
    "windowkeeper": Sender(None, neutral=True),
    "claude-code": Sender("anthropic", packs=True),
    "managed-agents": Sender("anthropic", packs=True),
    "anthropic": Sender("anthropic"),
    "openai-chat": Sender("openai-chat"),
    "openai-responses": Sender("openai-responses"),
    "codex": Sender("openai-responses", packs=True),
    "gemini": Sender("gemini"),
    "pi": Sender("openai-chat", packs=True, neutral=True),
    "opencode": Sender("openai-chat", packs=True, neutral=True),
    "copilot-cli": Sender("openai-chat", packs=True, neutral=True),
    "swe-agent": Sender("openai-chat", packs=True, neutral=True),
    "inspect": Sender("openai-chat", packs=True, neutral=True),
    "otel": Sender("openai-chat", packs=True, neutral=True),
    "ai-sdk": Sender("openai-chat", neutral=True),
    "langchain": Sender("openai-chat", neutral=True),
    "pydantic-ai": Sender("openai-chat", neutral=True),
}
FAMILIES = (("claude", "anthropic"), ("gemini", "gemini"), ("gpt-", "openai-chat"))
"""What a model's name holds, and whose it is; the first that fits counts."""


def sender_of(transcript: Transcript) -> Sender:
    """Return who sent a transcript's requests; of a format that is not listed nothing is known."""
    sender = SENDERS.get(transcript.format, Sender(None))
    if not sender.neutral:
        return sender
    found = next((provider for model in transcript.models if (provider := provider_of(model))), None)
    return sender if found is None else sender._replace(provider=found)


def provider_of(model: str) -> str | None:
    """Return whose a model is, None where its name does not say."""
    return next((provider for part, provider in FAMILIES if part in model), None)
