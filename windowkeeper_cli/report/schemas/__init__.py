"""The JSON Schemas of the reports, one file each, named as the report."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any


def schema(report: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a report's JSON document."""
    loaded: dict[str, Any] = json.loads(schema_text(report))
    return loaded


def schema_names() -> tuple[str, ...]:
    """Return the reports that have a schema, in the order of their names."""
    return tuple(sorted(entry.name.removesuffix(".json") for entry in _folder() if entry.name.endswith(".json")))


def schema_text(report: str) -> str:
    """Return a report's JSON Schema as it is shipped; `report` is one of `schema_names`."""
    return files(__name__).joinpath(f"{report}.json").read_text("utf-8")


def _folder() -> Iterable[Traversable]:
    return files(__name__).iterdir()
