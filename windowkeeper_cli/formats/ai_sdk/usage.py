"""What does an AI SDK message say of the tokens of its call? Only where a program put its usage there."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.fields import detail, figure
from windowkeeper_cli.model.call import Usage


def usage_in(metadata: Any) -> Usage | None:
    """Return the usage in a message's metadata; the SDK's input figure holds what caches gave and took."""
    told = metadata.get("usage", metadata.get("totalUsage")) if isinstance(metadata, dict) else None
    if not isinstance(told, dict) or type(told.get("inputTokens")) is not int:
        return None
    prompt, kept = figure(told, "inputTokens"), "inputTokenDetails"
    read = min(detail(told, kept, "cacheReadTokens") or figure(told, "cachedInputTokens"), prompt)
    written = min(detail(told, kept, "cacheWriteTokens"), prompt - read)
    reasoning = detail(told, "outputTokenDetails", "reasoningTokens") or figure(told, "reasoningTokens")
    return Usage(prompt - read - written, figure(told, "outputTokens"), read, written, reasoning=reasoning)
