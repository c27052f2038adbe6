"""Briefs: transcript content cut to one harmless line, for stubs and reports."""

from __future__ import annotations

import json

BRIEF_CHARS = 80
_PARSE_LIMIT = 20_000
_LINES_LOOKED_AT = 200
_BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_BLANKS = dict.fromkeys((9, 10, 11, 12, 13, 0x85, 0x2028, 0x2029), " ")
_GONE = dict.fromkeys(
    [*range(0x20), *range(0x7F, 0xA0), *_BIDI, *range(0xD800, 0xE000), 0xFEFF, *range(0xE0000, 0xE0080)], None
)
_TABLE: dict[int, str | None] = {**_GONE, **_BLANKS}


def one_line(text: str, chars: int = BRIEF_CHARS) -> str:
    """Return `text` on one line of at most `chars` characters, control and direction characters removed."""
    line = _cleaned(text[: chars * 2])
    if len(line) <= chars and len(text) > chars * 2:
        # Much of the beginning was blank; what is clean of a beginning begins what is clean of more.
        line = _cleaned(text[: chars * 8])
    return line if len(line) <= chars else line[: chars - 1] + "…"


def _cleaned(head: str) -> str:
    # Nothing in the table is printable in any version of Unicode, and asking is a tenth of a translation.
    if not head.isprintable():
        head = head.translate(_TABLE)
    return " ".join(filter(None, head.split(" "))) if "  " in head or head[:1] == " " or head[-1:] == " " else head


def first_line(text: str, chars: int = BRIEF_CHARS) -> str:
    """Return the first line of `text` that holds more than blanks, cut and cleaned like `one_line`."""
    start = 0
    for _ in range(_LINES_LOOKED_AT):
        end = text.find("\n", start)
        most = start + chars * 8
        found = one_line(text[start : most if end < 0 else min(end, most)], chars)
        if found or end < 0:
            return found
        start = end + 1
    return ""


def arguments(args: str, chars: int = BRIEF_CHARS) -> str:
    """Return a tool call's argument text in brief: the one value, or `key=value` pairs, else the text itself."""
    value = _parsed(args)
    if value is None:
        return one_line(args, chars)
    if len(value) == 1:
        return one_line(_plain(next(iter(value.values()))), chars)
    return _pairs(value, chars)


def arguments_but(args: str, known: str, chars: int = BRIEF_CHARS) -> str:
    """Return a tool call's arguments in brief, those left out whose value is `known` already; empty where none is."""
    value = _parsed(args) or {}
    return _pairs({key: part for key, part in value.items() if part != known}, chars)


def _parsed(args: str) -> dict[str, object] | None:
    if len(args) > _PARSE_LIMIT:
        return None
    try:
        value = json.loads(args)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _pairs(value: dict[str, object], chars: int) -> str:
    return one_line(", ".join(f"{key}={_plain(part)}" for key, part in value.items()), chars)


def _plain(value: object) -> str:
    if isinstance(value, str):
        return value[: BRIEF_CHARS * 8]
    if type(value) is int or type(value) is bool:
        return str(value).lower()[: BRIEF_CHARS * 8]
    return json.dumps(value, ensure_ascii=False)[: BRIEF_CHARS * 8]
