"""Which providers are there?"""

from __future__ import annotations

from windowkeeper_cli.formats.senders import sender_of as sender_of
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.item import ASSISTANT, TOOL, USER
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


def provider_named(name: str) -> Provider:
    """Return the provider called `name`; raise UsageError naming the known ones."""
    if name not in PROVIDERS:
        raise UsageError(f"unknown provider {name!r}", f"known: {', '.join(PROVIDERS)}")
    return PROVIDERS[name]
