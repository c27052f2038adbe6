"""What a shell may complete a value with: the names in the registries, and the sessions on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

LATEST = "latest"
MANY = 200
"""Session ids offered at most; more are no choice."""


def formats_in(incomplete: str) -> list[str]:
    """Return the transcript formats that begin so."""
    from windowkeeper_cli.formats import FORMATS

    return [name for name in FORMATS.names if name.startswith(incomplete)]


def targets(incomplete: str) -> list[str]:
    """Return the formats that can be written and begin so."""
    from windowkeeper_cli.formats.writers import WRITERS

    return [name for name in WRITERS.names if name.startswith(incomplete)]


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
    """Return the policy keys that begin so, each with the = that its value follows; after it the values to choose."""
    from windowkeeper_cli.policy.keys import BY_PATH

    name, given, value = incomplete.partition("=")
    if not given:
        return [f"{path}=" for path in BY_PATH if path.startswith(incomplete)]
    return [f"{name}={one}" for one in _values_of(name) if one.startswith(value)]


def _values_of(path: str) -> tuple[str, ...]:
    """Return what there is to choose from as the value of a policy key."""
    from windowkeeper_cli.policy.keys import BY_PATH
    from windowkeeper_cli.policy.kinds import FLAG, NAME
    from windowkeeper_cli.strategies import STRATEGIES

    kind = BY_PATH[path].kind if path in BY_PATH else None
    if kind == NAME:
        return STRATEGIES.names
    if kind is None:
        return ()
    return ("true", "false") if kind == FLAG else (*kind.choices, *(("false",) if kind.or_false else ()))


def words(*known: str) -> Callable[[str], list[str]]:
    """Return what completes a value that is one of these words."""

    def beginning(incomplete: str) -> list[str]:
        return [word for word in known if word.startswith(incomplete)]

    return beginning


def rules(incomplete: str) -> list[str]:
    """Return the names of rules, reasons, strategies and invariants that begin so."""
    from windowkeeper_cli.report.rules import rule_names

    return [name for name in rule_names() if name.startswith(incomplete)]


def manual_pages(incomplete: str) -> list[str]:
    """Return the pages of the manual that begin so: a command by its name, another page with its section."""
    from windowkeeper_cli.cli.commands import COMMANDS
    from windowkeeper_cli.cli.manual.pages import TOPICS, short_name

    names = (*COMMANDS.names, *(short_name(ref) for ref, _, _ in TOPICS))
    return [name for name in names if name.startswith(incomplete)]


def schemas(incomplete: str) -> list[str]:
    """Return the reports with a JSON Schema that begin so."""
    from windowkeeper_cli.report.schemas import schema_names

    return [name for name in schema_names() if name.startswith(incomplete)]


def gap_kinds(incomplete: str) -> list[str]:
    """Return the kinds of evidence gaps that begin so."""
    from windowkeeper_cli.replay.gaps import GAP_KINDS

    return [name for name in GAP_KINDS.names if name.startswith(incomplete)]


def transcripts(incomplete: str) -> list[str]:
    """Return `latest` and the session ids below the usual roots that begin so.

    None for a path, or where files here begin so: the shell then completes files.
    """
    if not incomplete or not set(incomplete).isdisjoint("/.~\\") or _begins_a_file(incomplete):
        return []
    from windowkeeper_cli.cli.surroundings import session_roots
    from windowkeeper_cli.formats.naming import logs_below, session_name

    known = dict.fromkeys(session_name(path) for path in logs_below(session_roots(None)))
    return [name for name in (LATEST, *sorted(known)) if name.startswith(incomplete)][:MANY]


def _begins_a_file(incomplete: str) -> bool:
    try:
        return any(path.name.startswith(incomplete) for path in Path().iterdir())
    except OSError:
        return False
