"""Which file does the name of a transcript mean? A path, `latest`, `latest~2`, or the beginning of a session id."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from windowkeeper_cli.formats.folder import log_paths
from windowkeeper_cli.formats.opening import STDIN
from windowkeeper_cli.model.errors import UsageError

_LATEST = re.compile(r"latest(?:~([0-9]{1,6}))?\Z")
_ID = re.compile(r"[0-9A-Za-z_-]{4,}\Z")
_ROLLOUT = re.compile(r"rollout-[0-9T-]{19}-")


def resolve(name: str, roots: Sequence[str]) -> str:
    """Return the path that `name` means; a path that exists wins.

    Raises UsageError where nothing below the session roots fits, or several files do (it names both).
    """
    if name == STDIN or _exists(name):
        return name
    match = _LATEST.match(name)
    if match:
        return _latest(int(match.group(1) or 0), name, roots)
    if _ID.match(name):
        found = [path for path in logs_below(roots) if session_name(path).startswith(name)]
        if len(found) > 1:
            both = ", ".join(str(path) for path in found)
            raise UsageError(f"{name!r} begins {len(found)} session ids: {both}", "give more of the id, or a path")
        if found:
            return str(found[0])
        looked = f"no file of that name, and no session id that begins with it below {_below(roots)}"
        raise UsageError(f"{name!r} is no transcript: {looked}", "see `windowkeeper sessions`")
    raise UsageError(
        f"{name!r} is no transcript: no file of that name", "give a path, `latest`, or 4 characters of a session id"
    )


def logs_below(roots: Sequence[str]) -> list[Path]:
    """Return the session logs below the roots, subagents' files left out, sorted by path."""
    return sorted({Path(path) for root in roots for path in log_paths(root, (".jsonl",))})


def session_name(path: Path) -> str:
    """Return the session id that a log's file name holds."""
    return _ROLLOUT.sub("", path.stem)


def _latest(back: int, name: str, roots: Sequence[str]) -> str:
    def written(path: Path) -> tuple[int, str]:
        try:
            return path.stat().st_mtime_ns, str(path)
        except OSError:
            return 0, str(path)

    found = sorted(logs_below(roots), key=written, reverse=True)
    if back < len(found):
        return str(found[back])
    raise UsageError(
        f"{name!r}: {len(found)} session logs below {_below(roots)}", "give a path, or --root with the logs' folder"
    )


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def _below(roots: Sequence[str]) -> str:
    return ", ".join(roots) or "any root (none is set)"
