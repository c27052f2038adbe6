"""How does a Responses API body, a list or lines of items, or a log of its pairs become entries?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.reading import CERTAIN, LIKELY, Reading, Verdict, peeked
from windowkeeper_cli.formats.responses.items import MESSAGE, PARTS, ROLES, TYPES
from windowkeeper_cli.formats.wire.pair import body_of, response_of, sampled_pairs

WHAT = "a Responses API body {instructions, input}, its items as a list or lines, or request/response pairs"
_NO_ITEMS = frozenset(("message", "payload", "parts", "tool_calls", "timestamp", "kwargs", "data"))
"""Keys that objects of other formats have beside a type."""


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are a Responses API body or items, and why."""
    pairs = sampled_pairs(values)
    if pairs:
        return _of_pairs(pairs)
    whole = len(values) == 1
    first = values[0] if values else None
    if isinstance(first, dict) and first.get("object") == "response" and isinstance(first.get("output"), list):
        return Verdict(CERTAIN, "a response with output items")
    if isinstance(first, dict) and "input" in first and (whole or all(_is_bodied(value) for value in values)):
        return _of_body(first)
    items = first if whole and isinstance(first, list) else values
    return _of_items(items)


def _is_bodied(value: Any) -> bool:
    """Return whether a value is a body or a response, which may stand side by side in a file of lines."""
    if not isinstance(value, dict) or "type" in value:
        return False
    return "input" in value or isinstance(value.get("output"), list)


def _of_pairs(pairs: list[dict[str, Any]]) -> Verdict | None:
    # Most inputs are no such log, and start sooner without it.
    from windowkeeper_cli.formats.wire.responses_api import is_answer

    if any(is_answer(response_of(pair)) for pair in pairs):
        return Verdict(CERTAIN, "request/response pairs with Responses API replies")
    for pair in pairs:
        body = body_of(pair)
        found = _of_body(body) if "input" in body else None
        if found is not None:
            return Verdict(LIKELY, f"request/response pairs, a request is {found.why}")
    return None


def _of_body(body: dict[str, Any]) -> Verdict | None:
    asked = body["input"]
    if isinstance(asked, list):
        found = _of_items(asked)
        if found is not None:
            return Verdict(CERTAIN, f"a body with an input of {found.why}")
        plain = all(isinstance(item, dict) and isinstance(item.get("role"), str) for item in asked)
        return Verdict(CERTAIN, "a body with a list of input items") if plain and asked else None
    if isinstance(asked, str) and body.keys() & {"model", "instructions", "previous_response_id", "prompt"}:
        return Verdict(LIKELY, "a body with an input text")
    return None


def _of_items(values: list[Any]) -> Verdict | None:
    items = [value for value in values if isinstance(value, dict)]
    if not items or len(items) * 2 <= len(values) or any(item.keys() & _NO_ITEMS for item in items):
        return None
    for item in items:
        kind = type_name(item)
        if kind in TYPES:
            return Verdict(CERTAIN, f"{kind} items")
        content = item.get("content")
        for part in content if isinstance(content, list) else ():
            if type_name(part) in PARTS:
                return Verdict(CERTAIN, f"messages with {part['type']} parts")
    told = all(type_name(item) == MESSAGE and str(item.get("role")) in ROLES and "content" in item for item in items)
    return Verdict(LIKELY, "message items") if told else None


def read(reading: Reading) -> Draft:
    """Return the entries of the body, the list, the lines or the pairs."""
    first, reading = peeked(reading)
    # Most inputs are another format's, and start sooner without the readers.
    if sampled_pairs(first):
        from windowkeeper_cli.formats.wire.reader import read_pairs
        from windowkeeper_cli.formats.wire.responses_api import dialect

        return read_pairs(reading, dialect())
    from windowkeeper_cli.formats.responses.reader import read_items

    return read_items(reading)
