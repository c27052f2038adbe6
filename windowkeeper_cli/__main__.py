"""Where the process starts; answers `--version` before anything else is imported."""

from __future__ import annotations

import sys

YOUNG = 100_000
"""Objects made between two looks for garbage: a log's are nearly all kept, and each look walks them."""


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        from windowkeeper_cli import __version__

        try:
            print(f"windowkeeper {__version__}", flush=True)
            return
        except OSError:
            # The long way says what is wrong with standard output.
            pass
    try:
        import gc

        gc.set_threshold(YOUNG, 20, 20)
        from windowkeeper_cli.cli.process import leave, run
    except KeyboardInterrupt:
        sys.exit(130)
    leave(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
