"""What did a sample's texts say before Inspect moved the long ones to its attachments?"""

from __future__ import annotations

from typing import Any

PREFIXES = ("attachment://", "tc://")
"""A text that is one of these and a hash stands for the attachment of that hash; the second is of old versions."""


class Attachments:
    """Puts attachments back in place; `missing` counts the texts whose attachment is not in the sample."""

    def __init__(self, held: Any) -> None:
        self._held: dict[str, Any] = held if isinstance(held, dict) else {}
        self.missing = 0

    def restored(self, value: Any) -> Any:
        """Return a value with every text that stands for an attachment replaced; the value itself where none does."""
        if isinstance(value, str):
            return self._text(value) if value.startswith(PREFIXES) else value
        if isinstance(value, dict):
            made = {key: self.restored(part) for key, part in value.items()}
            return made if any(made[key] is not part for key, part in value.items()) else value
        if isinstance(value, list):
            parts = [self.restored(part) for part in value]
            return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
        return value

    def _text(self, value: str) -> str:
        found = self._held.get(value.partition("://")[2])
        if isinstance(found, str):
            return found
        self.missing += 1
        return value
