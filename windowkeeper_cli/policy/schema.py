"""What is the JSON Schema of a policy file, made from the table of keys."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.policy.keys import SECTIONS, Key, default_of, keys_of
from windowkeeper_cli.policy.kinds import Kind
from windowkeeper_cli.policy.loaded import ALIASES

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, object]


def policy_schema(strategies: Sequence[str]) -> Schema:
    """Return the JSON Schema (draft 2020-12) of a policy file; `strategies` are the names that there are.

    It holds what one key may be; what several keys must be together only the loader knows.
    """
    names: dict[str, object] = {key.name: _member(key, strategies) for key in keys_of("")}
    for section, text in SECTIONS.items():
        names[section] = {
            "description": text,
            "type": ["object", "null"],
            "additionalProperties": False,
            "properties": {key.name: _member(key, strategies) for key in keys_of(section)},
        }
    return {
        "$schema": DIALECT,
        "title": "windowkeeper policy",
        "description": "How a context window is kept. Every key is optional; null is as if the key were absent.",
        "type": "object",
        "additionalProperties": False,
        "properties": names,
    }


def _member(key: Key, strategies: Sequence[str]) -> Schema:
    default = default_of(key)
    member: Schema = {"description": key.text, **_typed(key.kind, strategies)}
    return member if default is None else {**member, "default": default}


def _typed(kind: Kind, strategies: Sequence[str]) -> Schema:
    """Return the schema of a kind; each also takes null."""
    text: Schema = {"type": "string", "minLength": 1}
    listed: Schema = {"type": ["array", "null"], "items": text}
    whole, number = _bounded("integer", kind), _bounded("number", kind)
    names: list[object] = [*strategies, *(alias for alias, name in ALIASES.items() if name in strategies)]
    forms: dict[str, Schema] = {
        "flag": {"type": ["boolean", "null"]},
        "whole": {**whole, "type": ["integer", "null"]},
        "number": {**number, "type": ["number", "null"]},
        "name": {"enum": [*names, None]},
        "choice": {"enum": [*kind.choices, None]},
        "texts": listed,
        "patterns": {**listed, "items": {**text, "format": "regex"}},
        "wholes": _named(whole),
        "numbers": _named(number),
    }
    schema = forms[kind.form]
    return {"anyOf": [schema, {"const": False}]} if kind.or_false else schema


def _bounded(name: str, kind: Kind) -> Schema:
    least = "exclusiveMinimum" if kind.above else "minimum"
    return {"type": name, least: kind.least, "maximum": kind.most}


def _named(value: Schema) -> Schema:
    return {
        "type": ["object", "null"],
        "propertyNames": {"minLength": 1},
        "additionalProperties": {**value, "type": [value["type"], "null"]},
    }
