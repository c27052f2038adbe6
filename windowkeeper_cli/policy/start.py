"""What does a policy file look like to begin with: every key that a strategy reads, with its sentence and default."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from windowkeeper_cli.policy.keys import BY_PATH, DEFAULTS, SECTIONS, Key, Value, default_of, effective, keys_of
from windowkeeper_cli.policy.loaded import DEFAULT_STRATEGY

_ALWAYS = ("prices", "check")
SAMPLES: Mapping[str, Value] = {
    "budget.target": effective(DEFAULTS, BY_PATH["budget.target"]),
    "budget.idleSeconds": 300,
    "slidingWindow.keepRecentTurns": 6,
    "slidingTokens.maxTokens": 100_000,
    "tokenBudget.thresholdTokens": 100_000,
    "summarizeOldest.thresholdTokens": 100_000,
    "clearToolResults.keepTokens": 40_000,
    "clearToolResults.idleMinutes": 60,
}
"""What a key without a default may look like."""


def starting_file(reads: Sequence[str], strategy: str = DEFAULT_STRATEGY) -> str:
    """Return a commented policy file in TOML that loads as the defaults of `strategy`, which `reads` these sections.

    A key without a default stands in it as a comment, or with a sample where the strategy must have one.
    """
    lines = [
        "# A policy of windowkeeper: how a context window is kept. Every key is optional; these are the defaults.",
        "# Numbers count tokens unless the name says otherwise. `windowkeeper policy check FILE` validates the file.",
        "",
        f"# {keys_of('')[0].text}",
        f"strategy = {_toml(strategy)}",
    ]
    for section, text in SECTIONS.items():
        if section in reads or section in _ALWAYS:
            lines += ["", f"# {text}", f"[{section}]"]
            for key in keys_of(section):
                lines += [f"# {key.text}", _line(key, strategy)]
    return "\n".join(lines) + "\n"


def _line(key: Key, strategy: str) -> str:
    value = default_of(key)
    if value is not None:
        return f"{key.name} = {_toml(value)}"
    return f"{'' if key.required_by == strategy else '# '}{key.name} = {_toml(SAMPLES[key.path])}"


def _toml(value: Value) -> str:
    """Return a value as TOML writes it; the texts and flags of JSON are TOML's too."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(name)} = {_toml(held)}" for name, held in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(part) for part in value) + "]"
    return json.dumps(value)
