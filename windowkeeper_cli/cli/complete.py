"""What a shell may complete an option's value with: the names in the registries."""

from __future__ import annotations


def formats_in(incomplete: str) -> list[str]:
    """Return the transcript formats that begin so."""
    from windowkeeper_cli.formats import FORMATS

    return [name for name in FORMATS.names if name.startswith(incomplete)]


def formats_out(incomplete: str) -> list[str]:
    """Return the output formats that begin so."""
    from windowkeeper_cli.render import RENDERERS

    return [name for name in RENDERERS.names if name.startswith(incomplete)]


def counters(incomplete: str) -> list[str]:
    """Return the counters that begin so."""
    from windowkeeper_cli.tokens import known

    return [name for name in known() if name.startswith(incomplete)]


def policies(incomplete: str) -> list[str]:
    """Return the built-in policies that begin so."""
    from windowkeeper_cli.policy.presets import PRESETS
    from windowkeeper_cli.strategies import STRATEGIES

    return [name for name in (*STRATEGIES.names, *PRESETS) if name.startswith(incomplete)]


def policy_keys(incomplete: str) -> list[str]:
    """Return the policy keys that begin so, each with the = that its value follows."""
    from windowkeeper_cli.policy.keys import KEYS

    return [f"{key.path}=" for key in KEYS if key.path.startswith(incomplete)]


def rules(incomplete: str) -> list[str]:
    """Return the names of rules, reasons, strategies and invariants that begin so."""
    from windowkeeper_cli.report.rules import rule_names

    return [name for name in rule_names() if name.startswith(incomplete)]
