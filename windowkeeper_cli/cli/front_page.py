"""What `windowkeeper --help` says; made without the command-line library, so that it is quick."""

from __future__ import annotations

import textwrap

from windowkeeper_cli import __version__
from windowkeeper_cli.cli.commands import ENTRIES
from windowkeeper_cli.cli.exit_codes import EXIT_CODES

PURPOSE = (
    "What the model still saw at a call, what had left its context window, which rule took it, and what refused to "
    "leave. Offline, from the transcript alone."
)
TRANSCRIPT = "TRANSCRIPT is a file, - for standard input, latest, latest~2, or the beginning of a session id."
USAGE = (("COMMAND", "[OPTIONS]", "..."), ("COMMAND", "--help"), ("--version",), ("--show-completion", "SHELL"))
OPTIONS = (
    ("--show-completion", "the script that completes commands in a shell: bash, zsh or fish"),
    ("--version", "the version"),
    ("--help", "the commands"),
)
EXAMPLES = (
    "windowkeeper explain fixtures/redis-auth/transcript.json -p fixtures/redis-auth/policy.json",
    "windowkeeper sessions",
    "windowkeeper trace latest paths.go --call @15:29",
    "windowkeeper explain ~/.claude/projects/web/4b1cf20a.jsonl --call 212",
)
WIDTH = 100


def front_page() -> str:
    """Return the help text of the program."""
    column = max(len(name) for name, _, _ in ENTRIES)
    codes = ", ".join(f"{code} {text}" for code, text in EXIT_CODES)
    lines = [
        *textwrap.wrap(f"windowkeeper {__version__}: {PURPOSE[:1].lower()}{PURPOSE[1:]}", WIDTH),
        "",
        "Usage",
        *(f"  windowkeeper {' '.join(words)}" for words in USAGE),
        "",
        "Commands",
        *(f"  {name:<{column}}  {text}" for name, _, text in ENTRIES),
        "",
        "Examples",
        *(f"  {example}" for example in EXAMPLES),
        "",
        *textwrap.wrap(TRANSCRIPT, WIDTH),
        *textwrap.wrap(f"Exit codes: {codes}.", WIDTH),
    ]
    return "\n".join(lines) + "\n"
