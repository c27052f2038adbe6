"""Where the process starts; answers `--version` before anything else is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        from windowkeeper_cli import __version__

        if sys.stdout is not None:
            sys.stdout.write(f"windowkeeper {__version__}\n")
            return
    try:
        from windowkeeper_cli.cli.process import run
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
