"""What do a span's attributes hold? OTLP's typed values as plain ones, and dotted keys as lists of objects."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.exact import DECODER

_PLAIN = ("stringValue", "boolValue", "doubleValue", "bytesValue", "string_value", "bool_value", "double_value")
_DEEPEST = 50


def attributes_of(value: Any) -> dict[str, Any]:
    """Return attributes as a plain object: one already, or OTLP's list of keys and typed values."""
    if isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for pair in value if isinstance(value, list) else ():
        if isinstance(pair, dict) and isinstance(pair.get("key"), str):
            found[pair["key"]] = _plain(pair.get("value"), 0)
    return found


def _plain(value: Any, depth: int) -> Any:
    if not isinstance(value, dict) or depth > _DEEPEST:
        return value
    for key in _PLAIN:
        if key in value:
            return value[key]
    whole = value.get("intValue", value.get("int_value"))
    if whole is not None:
        return int(whole) if isinstance(whole, str) and whole.lstrip("-").isdecimal() and whole.isascii() else whole
    array = value.get("arrayValue", value.get("array_value"))
    if isinstance(array, dict):
        values = array.get("values")
        return [_plain(inner, depth + 1) for inner in values] if isinstance(values, list) else []
    pairs = value.get("kvlistValue", value.get("kvlist_value"))
    if isinstance(pairs, dict):
        inner = pairs.get("values")
        listed = inner if isinstance(inner, list) else []
        return {str(pair.get("key")): _plain(pair.get("value"), depth + 1) for pair in listed if isinstance(pair, dict)}
    return value


def parsed(value: Any) -> Any:
    """Return a text that is a JSON object or list parsed, anything else as it is."""
    if isinstance(value, str) and value.lstrip(" \t\r\n")[:1] in ("{", "["):
        try:
            return DECODER.decode(value.strip(" \t\r\n"))
        except (ValueError, RecursionError):
            return value
    return value


def unfolded(attributes: dict[str, Any], prefix: str) -> list[Any]:
    """Return the list that dotted keys like `prefix.0.role` spell out, in the order of their numbers."""
    whole = attributes.get(prefix)
    if isinstance(whole, list):
        return [_opened(one) for one in whole]
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        if key.startswith(f"{prefix}."):
            _plant(tree, key.removeprefix(f"{prefix}.").split(".")[:_DEEPEST], value)
    found = _gathered(tree)
    return found if isinstance(found, list) else []


def _opened(value: Any) -> Any:
    """Return an object whose keys are dotted with what they spell out."""
    if not isinstance(value, dict) or not any("." in key for key in value):
        return value
    tree: dict[str, Any] = {}
    for key, inner in value.items():
        _plant(tree, key.split(".")[:_DEEPEST], inner)
    return _gathered(tree)


def _plant(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for step in path[:-1]:
        inner = tree.get(step)
        if not isinstance(inner, dict):
            inner = tree[step] = {}
        tree = inner
    tree.setdefault(path[-1], value)


def _gathered(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    numbers = [key for key in value if key.isascii() and key.isdigit() and len(key) < 7]
    if value and len(numbers) == len(value):
        return [_gathered(value[key]) for key in sorted(numbers, key=int)]
    return {key: _gathered(inner) for key, inner in value.items()}
