"""What did OpenAI report for a reply? The input figure is the whole prompt, the cached figure a part of it."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.fields import detail, figure
from windowkeeper_cli.model.call import Usage


def usage_of(reported: Any, *, ended: bool = True) -> Usage | None:
    """Return a Responses API usage with the cached part apart, None where there is none."""
    if not isinstance(reported, dict) or "input_tokens" not in reported:
        return None
    cached = detail(reported, "input_tokens_details", "cached_tokens")
    return parted(reported, cached, detail(reported, "output_tokens_details", "reasoning_tokens"), ended=ended)


def parted(reported: dict[str, Any], cached: int, reasoning: int, *, ended: bool = True) -> Usage:
    """Return a usage whose input holds `cached` tokens from the cache, and whose output `reasoning` tokens."""
    prompt, output = figure(reported, "input_tokens"), figure(reported, "output_tokens")
    return Usage(max(0, prompt - cached), output, min(cached, prompt), 0, ended, reasoning)
