"""Which class does a byte of UTF-8 text belong to? Fifteen classes; 0 stands for no byte at all."""

from __future__ import annotations

_VOWELS = b"aeiou"
_CONSONANTS = b"bcdfghjklmnpqrstvwxyz"
_RUNS = b"-=#*.~_"
_QUOTES = b"\"'`\\"

CLASSES: tuple[tuple[str, bytes], ...] = (
    ("vowel", _VOWELS),
    ("consonant", _CONSONANTS),
    ("capital", bytes(range(0x41, 0x5B))),
    ("digit", bytes(range(0x30, 0x3A))),
    ("blank", b" "),
    ("control", bytes(range(0x20)) + b"\x7f"),
    ("run", _RUNS),
    ("quote", _QUOTES),
    ("mark", b"!$%&()+,/:;<>?@[]^{|}"),
    ("tail", bytes(range(0x80, 0xC2)) + bytes(range(0xF5, 0x100))),
    ("latin", bytes(range(0xC2, 0xCE))),
    ("letters", bytes(range(0xCE, 0xE2))),
    ("signs", b"\xe2"),
    ("east-asian", bytes(range(0xE3, 0xF0))),
    ("astral", bytes(range(0xF0, 0xF5))),
)
"""Names and bytes, classes 1 to 15. From `tail` on: bytes of characters beyond ASCII, by their first byte.

`run` holds marks that stand in long rows (rules, dots), `letters` the Greek, Cyrillic, Hebrew, Arabic and Indic
scripts and their neighbours, `signs` typographic and box-drawing characters.
"""


def class_table() -> bytes:
    """Return 256 bytes: the class (1 to 15) of each byte value, for `bytes.translate`."""
    table = bytearray(256)
    for number, (_, members) in enumerate(CLASSES, 1):
        for byte in members:
            table[byte] = number
    return bytes(table)
