"""What does an AI SDK message say of the tokens of its call? Only where a program put its usage there."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.wire.answer import figure
from windowkeeper_cli.model.call import Usage


def usage_in(metadata: Any) -> Usage | None:
    """Return the usage in a message's metadata; the SDK's input figure holds what caches gave and took."""
    told = metadata.get("usage", metadata.get("totalUsage")) if isinstance(metadata, dict) else None
    if not isinstance(told, dict) or type(told.get("inputTokens")) is not int:
        return None
    details = told.get("inputTokenDetails")
    details = details if isinstance(details, dict) else {}
    prompt = figure(told, "inputTokens")
    read = min(figure(details, "cacheReadTokens") or figure(told, "cachedInputTokens"), prompt)
    written = min(figure(details, "cacheWriteTokens"), prompt - read)
    return Usage(prompt - read - written, figure(told, "outputTokens"), read, written)
