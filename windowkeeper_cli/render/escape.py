"""What text may reach a terminal: control, direction and invisible characters are shown, not sent."""

from __future__ import annotations

from functools import cache

from windowkeeper_cli.model.unprintable import UNPRINTABLE

_NAMED = {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r"}


def escape(text: str, *, keep: str = "", encoding: str = "utf-8") -> str:
    """Return `text` safe to print; characters of `keep` stay, those that `encoding` has not are escaped too."""
    if text.isascii() and text.isprintable():
        return text
    safe = text.translate(_table(keep))
    if encoding != "utf-8":
        safe = safe.encode(encoding, "backslashreplace").decode(encoding)
    return safe


@cache
def _table(keep: str) -> dict[int, str]:
    table = {code: shown(code) for first, last in UNPRINTABLE for code in range(first, last + 1)}
    table.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))
    for char in keep:
        table.pop(ord(char), None)
    return table


def shown(code: int) -> str:
    """Return a character as an escape that a person can read and a program can take back."""
    if code in _NAMED:
        return _NAMED[code]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
