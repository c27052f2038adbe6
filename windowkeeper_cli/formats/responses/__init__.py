"""How do the items of the Responses API become entries? Codex keeps the same items in its files."""

from __future__ import annotations
