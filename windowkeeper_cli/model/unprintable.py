"""Unprintable: characters that a terminal or a reader would act on rather than show, and JSON that escapes them."""

from __future__ import annotations

import re
from functools import cache

UNPRINTABLE = (
    (0x00, 0x1F),
    (0x7F, 0x9F),
    (0xAD, 0xAD),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x180E, 0x180E),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0xFEFF, 0xFEFF),
    (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE007F),
)
"""Controls (C0, C1), line and paragraph separators, and every format character (Cf); both ends belong to it."""


def json_safe(body: bytes) -> bytes:
    """Return JSON in UTF-8 that means the same, control and format characters in its strings as \\u escapes."""
    if body.isascii() and b"\x7f" not in body:
        return body
    text = body.decode()
    return _format_character().sub(_json_escape, text).encode()


@cache
def _format_character() -> re.Pattern[str]:
    ranges = "".join(f"{chr(max(first, 0x7F))}-{chr(last)}" for first, last in UNPRINTABLE if last >= 0x7F)
    return re.compile(f"[{ranges}]")


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
