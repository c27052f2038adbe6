"""Which token count tells of a call? One whose running total has changed; the same figures are often written again."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.fields import figure
from windowkeeper_cli.formats.responses.usage import parted
from windowkeeper_cli.model.call import Usage

_KEYS = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens")


class Counts:
    """Takes the token counts of a file in order."""

    def __init__(self) -> None:
        self._total: dict[str, Any] = {}

    def advance(self, event: dict[str, Any]) -> Usage | None:
        """Return the usage of the call that a token count tells of, None where it tells of none."""
        info = event.get("info")
        total = info.get("total_token_usage") if isinstance(info, dict) else None
        if not isinstance(info, dict) or not isinstance(total, dict):
            return None
        before, self._total = self._total, total
        grown = {key: figure(total, key) - figure(before, key) for key in _KEYS}
        if not any(grown.values()):
            return None
        last = info.get("last_token_usage")
        told = last if isinstance(last, dict) else grown
        if not figure(told, "input_tokens"):
            return None
        return parted(told, figure(told, "cached_input_tokens"), figure(told, "reasoning_output_tokens"))
