"""The reliability battery by hand: `python -m tests.battery NAME [OPTIONS]`, one module a name."""

from __future__ import annotations

import sys

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.registry import Registry

LINES = Registry(
    "line of the battery",
    "tests.battery",
    (("fuzz", "fuzz"), ("kill", "kill"), ("processes", "processes"), ("full", "full")),
)


def main(words: list[str]) -> int:
    """Run the line of the battery that the first word names, and return its exit code."""
    try:
        line = LINES.module(words[0] if words else "")
    except UsageError as error:
        sys.stderr.write(f"tests.battery: {error}\n")
        return 2
    code: int = line.main(words[1:])
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
