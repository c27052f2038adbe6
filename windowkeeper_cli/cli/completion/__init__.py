"""Completion in a shell: a script for each, and what answers it while a command is being typed."""

from __future__ import annotations

from windowkeeper_cli.model.registry import Registry

SHELLS = Registry(
    "shell",
    "windowkeeper_cli.cli.completion",
    (("bash", "bash"), ("zsh", "zsh"), ("fish", "fish")),
)
ASKED = "_WINDOWKEEPER_COMPLETE"
"""The variable by which a shell's script asks: it names the shell; the arguments are the words up to the cursor."""
