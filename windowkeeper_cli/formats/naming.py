"""Which file does the name of a transcript mean? A path, `latest`, `latest~2`, or the beginning of a session id."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from windowkeeper_cli.formats.folder import LOGS, log_paths
from windowkeeper_cli.formats.opening import STDIN
from windowkeeper_cli.formats.outline import glance
from windowkeeper_cli.model.errors import UsageError

_LATEST = re.compile(r"latest(?:~([0-9]{1,6}))?\Z")
_ID = re.compile(r"[0-9A-Za-z_-]{4,}\Z")
ANY, OWN = LOGS, LOGS[:1]
"""What logs' names end with in a folder that was named, and in the harnesses' own."""
_ROLLOUT = re.compile(r"rollout-[0-9T-]{19}-")


def resolve(name: str, roots: Sequence[str], ends: Sequence[str] = OWN) -> str:
    """Return the path that `name` means; a path that exists wins. Logs' names end with one of `ends`.

    Raises UsageError where nothing below the session roots fits, or several files do (it names both).
    """
    if name == STDIN or _exists(name):
        return name
    match = _LATEST.match(name)
    if match:
        return _latest(int(match.group(1) or 0), name, roots, ends)
    if _ID.match(name):
        logs = logs_below(roots, ends)
        found = [path for path in logs if session_name(path).startswith(name)]
        # A file that a person named says its session inside.
        found = found or [path for path in logs if _says(path, name)]
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


def logs_below(roots: Sequence[str], ends: Sequence[str] = OWN) -> list[Path]:
    """Return the session logs below the roots, subagents' files left out, sorted by path."""
    return sorted({Path(path) for root in roots for path in log_paths(root, ends)})


def session_name(path: Path) -> str:
    """Return the session id that a log's file name holds."""
    return _ROLLOUT.sub("", path.stem)


def _says(path: Path, name: str) -> bool:
    """Return whether a log says that its session's id begins with `name`."""
    seen = glance(str(path))
    return seen is not None and (seen.session or "").startswith(name)


def _latest(back: int, name: str, roots: Sequence[str], ends: Sequence[str]) -> str:
    def written(path: Path) -> tuple[int, str]:
        try:
            return path.stat().st_mtime_ns, str(path)
        except OSError:
            return 0, str(path)

    found = sorted(logs_below(roots, ends), key=written, reverse=True)
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
