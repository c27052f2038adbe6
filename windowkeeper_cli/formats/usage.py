"""What do the reported tokens of several replies sum to?"""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.model.call import Usage


def total(usages: Iterable[Usage | None]) -> Usage | None:
    """Return the sum of the usages that are known, None where none is."""
    known = [usage for usage in usages if usage is not None]
    if not known:
        return None
    return Usage(
        sum(usage.input for usage in known),
        sum(usage.output for usage in known),
        sum(usage.cache_read for usage in known),
        sum(usage.cache_write for usage in known),
        all(usage.output_final for usage in known),
        sum(usage.reasoning for usage in known),
    )


def whole_prompt(prompt: int, output: int, read: int = 0, written: int = 0, reasoning: int = 0) -> Usage:
    """Return the usage of a reply whose reported `prompt` holds what was read from the cache and written to it."""
    read = min(read, prompt)
    written = min(written, prompt - read)
    return Usage(prompt - read - written, output, read, written, reasoning=reasoning)
