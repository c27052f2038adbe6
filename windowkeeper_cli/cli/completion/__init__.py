"""Completion in a shell: a script for each, and what answers it while a command is being typed."""

from __future__ import annotations

from windowkeeper_cli.model.registry import Registry

SHELLS = Registry(
    "shell",
    "windowkeeper_cli.cli.completion",
    (("bash", "bash"), ("zsh", "zsh"), ("fish", "fish")),
)
