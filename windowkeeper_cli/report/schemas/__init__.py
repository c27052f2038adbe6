"""The JSON Schemas of the reports, one file each, named as the report."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def schema(report: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a report's JSON document."""
    text = files(__name__).joinpath(f"{report}.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
