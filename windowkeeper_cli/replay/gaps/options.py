"""Is a number in a tool's arguments a setting of the model's own choice: a timeout, a limit, an offset?"""

from __future__ import annotations

import re

_OPTIONS = """
    timeout limit offset max min count size lines line width height ms seconds sec secs port delay wait sleep depth
    length tokens chars bytes head tail page interval retries start end top skip column x y duration budget characters
    results
"""
OPTIONS = frozenset(_OPTIONS.split())
"""Words that, as an argument's name or just before a number, say that it is a setting."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_BEFORE = re.compile(r"([A-Za-z][A-Za-z_-]{0,40})[ =:]{1,3}$|(?<![A-Za-z0-9])-{1,2}([A-Za-z][A-Za-z-]{0,40})[ =]?$")
_LOOK_BACK = 48


def is_option(key: str, value: int) -> bool:
    """Return whether a number under an argument's name is a setting, by the name or because it is round."""
    return is_round(str(value)) or any(part.lower() in OPTIONS for part in _PARTS.findall(key))


def is_option_in_text(text: str, at: int, number: str) -> bool:
    """Return whether a number inside a command is a setting, by the word before it or because it is round."""
    if is_round(number):
        return True
    found = _BEFORE.search(text[max(at - _LOOK_BACK, 0) : at])
    if found is None:
        return False
    word = found[1] or found[2]
    return (bool(found[2]) and len(word) == 1) or any(part.lower() in OPTIONS for part in _PARTS.findall(word))


def is_round(number: str) -> bool:
    """Return whether a number has but one or two digits before its zeros, as chosen ones do."""
    return len(number.rstrip("0")) <= 2
