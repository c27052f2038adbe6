"""Which providers are there, and whose provider does a log's format stand for?"""

from __future__ import annotations

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.item import ASSISTANT, TOOL, USER
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.acceptance.request import Provider

_BOTH = frozenset({USER, ASSISTANT})
PROVIDERS: dict[str, Provider] = {
    one.name: one
    for one in (
        # Neighbours of one role are joined: Claude API release notes, 8 October 2024.
        Provider("anthropic", _BOTH, USER, False, "tool_use", "tool_result"),
        Provider("openai-chat", frozenset({TOOL}), TOOL, True, "tool call", "tool message"),
        Provider("openai-chat-strict", frozenset({TOOL}), TOOL, True, "tool call", "tool message"),
        # A reasoning item and the output behind it are items of their own; what one reply gave belongs together.
        Provider("openai-responses", frozenset({ASSISTANT}), TOOL, True, "function_call", "function_call_output"),
        Provider("gemini", frozenset({ASSISTANT, TOOL}), TOOL, False, "functionCall", "functionResponse"),
    )
}


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
    for model in transcript.models:
        for part, provider in FAMILIES:
            if part in model:
                return sender._replace(provider=provider)
    return sender


def provider_named(name: str) -> Provider:
    """Return the provider called `name`; raise UsageError naming the known ones."""
    if name not in PROVIDERS:
        raise UsageError(f"unknown provider {name!r}", f"known: {', '.join(PROVIDERS)}")
    return PROVIDERS[name]
