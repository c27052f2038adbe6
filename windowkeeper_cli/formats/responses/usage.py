"""What did OpenAI report for a reply? The input figure is the whole prompt, the cached figure a part of it."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.wire.answer import figure
from windowkeeper_cli.model.call import Usage


def usage_of(reported: Any, *, ended: bool = True) -> Usage | None:
    """Return a Responses API usage with the cached part apart, None where there is none."""
    if not isinstance(reported, dict) or "input_tokens" not in reported:
        return None
    return parted(reported, _cached(reported), ended=ended)


def parted(reported: dict[str, Any], cached: int, *, ended: bool = True) -> Usage:
    """Return a usage whose input figure holds `cached` tokens that were read from the cache."""
    prompt = figure(reported, "input_tokens")
    return Usage(max(0, prompt - cached), figure(reported, "output_tokens"), min(cached, prompt), 0, ended)


def _cached(reported: dict[str, Any]) -> int:
    details = reported.get("input_tokens_details")
    return figure(details, "cached_tokens") if isinstance(details, dict) else 0
