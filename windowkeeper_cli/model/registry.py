"""Registries: an explicit tuple of (name, module) for each folder, a module imported on first use."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from windowkeeper_cli.model.errors import UsageError


class Registry:
    """Names in order, and the module behind each; `kind` is the word an error uses for a name."""

    def __init__(self, kind: str, package: str, entries: tuple[tuple[str, str], ...]) -> None:
        self.kind = kind
        self._package = package
        self._modules = dict(entries)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the registered names in order."""
        return tuple(self._modules)

    def module(self, name: str) -> ModuleType:
        """Return the module registered under `name`; raise UsageError naming the known ones."""
        if name not in self._modules:
            raise UsageError(f"unknown {self.kind} {name!r}", f"known: {', '.join(self.names)}")
        return import_module(f"{self._package}.{self._modules[name]}")
