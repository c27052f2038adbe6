"""How are series made small? Differences, runs of zeros as one pair, labels without what they share."""

from __future__ import annotations

import json
from collections.abc import Iterable


def packed(values: Iterable[int]) -> list[int]:
    """Return the differences between neighbours, from 0; a run of zeros is one zero and its length."""
    found: list[int] = []
    before = 0
    for value in values:
        change, before = value - before, value
        if change:
            found.append(change)
        elif len(found) > 1 and found[-2] == 0:
            found[-1] += 1
        else:
            found += (0, 1)
    return found


def front_coded(labels: Iterable[str]) -> list[int | str]:
    """Return each label as the number of UTF-16 units that it shares with the last one, and the rest of it."""
    found: list[int | str] = []
    before = ""
    for label in labels:
        shared = 0
        while shared < min(len(label), len(before)) and label[shared] == before[shared] and ord(label[shared]) < 0x80:
            shared += 1
        found += (shared, label[shared:])
        before = label
    return found


def places(words: Iterable[str]) -> tuple[list[str], list[int]]:
    """Return the different words in order of first appearance, and each word's place among them."""
    known: dict[str, int] = {}
    found = [known.setdefault(word, len(known)) for word in words]
    return list(known), found


def data_text(value: object) -> str:
    """Return a value as JSON that cannot end a script element."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
