"""What does the page windowkeeper-policy(5) say? Every key of a policy file, the built-in policies, the figures."""

from __future__ import annotations

import json
from collections.abc import Iterator

from windowkeeper_cli.cli.manual.page import Block, Code, Heading, Listed, Page, Ref, Section, See, Text, page
from windowkeeper_cli.cli.policies import strategies
from windowkeeper_cli.policy.keys import SECTIONS, Key, default_of, keys_of
from windowkeeper_cli.policy.preset import BuiltInRow, built_in_rows
from windowkeeper_cli.report.figures import FIGURES

EXAMPLE = """\
# Keep a window of 120,000 tokens, and fail in CI where a session needed more than two things that had left.
strategy = "windowkeeper"

[budget]
max = 120_000
reserve = 8_000

[toolResults]
evictAfterTurns = 12
excludeTools = ["read_plan"]

[expire.tools]
list_files = 6

[check.max]
gaps = 2
"""
_TEXTS = (
    "A policy says how a context window is kept. It is a file in TOML or JSON (-p FILE, a path with a / or a .), the "
    "table [tool.windowkeeper] of the nearest pyproject.toml, or a built-in one by name (-p NAME). --set KEY=VALUE "
    "changes one key of it.",
    "Every key is optional; null is as if the key were absent. Numbers count tokens unless the name says otherwise. A "
    "key that there is not, or a value that cannot be, is an error with its line: windowkeeper policy check FILE names "
    "all of them. A strategy reads only some sections, and the id of a policy is made from these alone.",
    "windowkeeper policy init prints a commented file to begin with, windowkeeper policy show every effective value, "
    "windowkeeper policy schema a JSON Schema.",
)


def policy_page(ref: Ref) -> Page:
    """Return the page."""
    return page(
        ref,
        "how a context window is kept, as a file",
        Section("DESCRIPTION", tuple(Text(text) for text in _TEXTS)),
        Section("KEYS", tuple(_keys())),
        Section("BUILT-IN POLICIES", (Text(_BUILT_IN), Listed(tuple(map(_built_in, built_in_rows(strategies())))))),
        Section("FIGURES", (Text(_FIGURES), Text(f"{', '.join(FIGURES)}."))),
        Section("EXAMPLES", (Code(tuple(EXAMPLE.splitlines())),)),
        Section(
            "SEE ALSO", (See((Ref("windowkeeper", 1), Ref("windowkeeper-policy", 1), Ref("windowkeeper-rules", 7))),)
        ),
    )


_BUILT_IN = "Every strategy with its defaults, and settings that others have published, with how certain they are."
_FIGURES = "The names that check.max and check.min take, and the options --max and --min of windowkeeper check:"


def _keys() -> Iterator[Block]:
    yield Listed(tuple(_key(key) for key in keys_of("")))
    for section, text in SECTIONS.items():
        yield Heading(section)
        yield Text(text)
        yield Listed(tuple(_key(key) for key in keys_of(section)))


def _key(key: Key) -> tuple[str, str]:
    default = default_of(key)
    given = "No default." if default is None else f"Default: {json.dumps(default)}."
    needed = f" The strategy {key.required_by} needs it." if key.required_by else ""
    return key.path, f"{key.text} Takes {key.kind.allowed}. {given}{needed}"


def _built_in(row: BuiltInRow) -> tuple[str, str]:
    sure = f" ({row.certainty})" if row.certainty else ""
    return row.name, f"Strategy {row.strategy}: {row.source.removesuffix('.')}{sure}."
