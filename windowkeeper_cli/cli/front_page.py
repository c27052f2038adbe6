"""What `windowkeeper --help` says; made without the command-line library, so that it is quick."""

from __future__ import annotations

from windowkeeper_cli import __version__
from windowkeeper_cli.cli.commands import ENTRIES

_PAGE = """\
windowkeeper {version}: what the model still saw at a call, what had left its context window,
which rule took it, and what refused to leave. Offline, from the transcript alone.

Usage
  windowkeeper COMMAND [OPTIONS] ...
  windowkeeper COMMAND --help
  windowkeeper --version

Commands
{commands}

Example
  windowkeeper explain fixtures/redis-auth/transcript.json -p fixtures/redis-auth/policy.json
  windowkeeper explain ~/.claude/projects/web/4b1cf20a.jsonl --call 212
  windowkeeper info latest

TRANSCRIPT is a file, - for standard input, latest, latest~2, or the beginning of a session id.
Exit codes: 0 done, 1 what was checked does not hold, 2 input, policy or arguments are wrong,
3 a fault of windowkeeper, 130 interrupted, 141 the reader of a pipe went away.
"""


def front_page() -> str:
    """Return the help text of the program."""
    width = max(len(name) for name, _, _ in ENTRIES)
    commands = "\n".join(f"  {name:<{width}}  {text}" for name, _, text in ENTRIES)
    return _PAGE.format(version=__version__, commands=commands)
