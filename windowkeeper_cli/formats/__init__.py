"""Bytes to transcripts: detection, decoding, one module a format; names are resolved on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windowkeeper_cli.formats.families import FAMILIES, Family, family, resource_of
    from windowkeeper_cli.formats.loading import load, loads
    from windowkeeper_cli.formats.naming import resolve
    from windowkeeper_cli.formats.registry import FORMATS

_WHERE = {
    "FAMILIES": "families",
    "FORMATS": "registry",
    "Family": "families",
    "family": "families",
    "load": "loading",
    "loads": "loading",
    "resolve": "naming",
    "resource_of": "families",
}
__all__ = ["FAMILIES", "FORMATS", "Family", "family", "load", "loads", "resolve", "resource_of"]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
