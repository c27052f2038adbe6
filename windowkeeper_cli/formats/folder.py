"""Which session logs does a folder hold? Its files by session: subagents' beside their session's, copies named.

A log is told by the end of its name only so far as to leave other files alone; what is in it decides when it is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from windowkeeper_cli.formats.copies import Candidate, copies_among
from windowkeeper_cli.formats.outline import Glance, glance
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.value import NamedTuple

LOGS = (".jsonl", ".json", ".ndjson", ".traj", ".eval")
PACKED = (".gz", ".zst")
AGENT, SUBAGENTS = "agent-", "subagents"


class SessionFile(NamedTuple):
    """One session's log: its path below the folder as it was typed, size in bytes, and subagents' files.

    `glance` is what its head and tail say, None where they say nothing. `copy_of` is the path of the later log that
    holds all of its records.
    """

    path: str
    size: int
    glance: Glance | None = None
    agents: tuple[str, ...] = ()
    copy_of: str | None = None


class Skipped(NamedTuple):
    """A file that is no session of its own, and why."""

    path: str
    why: str


class Folder(NamedTuple):
    """The sessions of a folder by path, what was passed over, and files whose names are not those of logs.

    `strays` are those passed over that are logs of subagents whose session is not in the folder.
    """

    path: str
    sessions: tuple[SessionFile, ...]
    skipped: tuple[Skipped, ...] = ()
    others: tuple[str, ...] = ()
    strays: tuple[str, ...] = ()


def session_files(folder: str, ends: Sequence[str] = LOGS) -> Folder:
    """Return the session logs below `folder`; raise InputError where it is missing, no folder, or holds none.

    Only names that end with one of `ends`, packed or not, are looked at.
    """
    try:
        is_folder = Path(folder).is_dir()
        missing = not is_folder and not Path(folder).exists()
    except (OSError, ValueError) as error:
        raise InputError("cannot be read", "check the path", where=folder) from error
    if missing:
        raise InputError("no such folder", "name a folder with session logs", where=folder)
    if not is_folder:
        raise InputError("a file, not a folder", "use `windowkeeper info` for one transcript", where=folder)
    skipped: list[Skipped] = []
    logs, others = _sorted_out(folder, ends, skipped)
    if not logs:
        why = f"none of its {len(others):,} files is named {', '.join(ends)}" if others else "it is empty"
        unread = f"; {skipped[0].path}: {skipped[0].why}" if skipped else ""
        raise InputError(f"no session log in it: {why}{unread}", "name a folder with session logs", where=folder)
    sessions, strays = _grouped(logs, skipped)
    return Folder(folder, sessions, tuple(skipped), tuple(others), strays)


def log_paths(folder: str, ends: Sequence[str] = LOGS) -> list[str]:
    """Return the paths of session logs below `folder` by their names alone, subagents' left out, sorted."""
    logs, _ = _sorted_out(folder, ends, [])
    return [path for path in logs if not is_agent(path)]


def is_agent(path: str) -> bool:
    """Return whether a file is a subagent's by its name or its folder."""
    return Path(path).name.startswith(AGENT) or Path(path).parent.name == SUBAGENTS


def agent_id(path: str) -> str:
    """Return the id of the subagent whose own file this is, by its name."""
    name = Path(path).name
    for end in PACKED:
        name = name.removesuffix(end)
    return Path(name).stem.removeprefix(AGENT)


def _sorted_out(folder: str, ends: Sequence[str], skipped: list[Skipped]) -> tuple[list[str], list[str]]:
    """Return the files named as logs and the others, each sorted; links only where they stay inside, no file twice."""
    named = tuple(ends) + tuple(end + packed for end in ends for packed in PACKED)
    inside = _real(Path(folder))
    real: list[Path] = []
    links: list[Path] = []
    others: list[str] = []
    for path in _walked(Path(folder), skipped):
        if not path.name.endswith(named):
            others.append(str(path))
        else:
            (links if path.is_symlink() else real).append(path)
    held = {_real(path) for path in real} if links else set()
    for path in sorted(links):
        target = _real(path)
        if not target.is_relative_to(inside):
            skipped.append(Skipped(str(path), "a link that leads out of the folder"))
        elif not target.is_file():
            skipped.append(Skipped(str(path), "a link that leads to no file"))
        elif target not in held:
            held.add(target)
            real.append(path)
    return sorted(str(path) for path in real), sorted(others)


def _real(path: Path) -> Path:
    """Return where a path leads; one that leads round in a circle stays as it is, which no file is."""
    return Path(os.path.realpath(path))


def _walked(folder: Path, skipped: list[Skipped]) -> Iterator[Path]:
    """Yield the files below a folder, but hidden ones, and of a session's own folder only its subagents' files."""

    def refused(error: OSError) -> None:
        skipped.append(Skipped(str(error.filename), f"cannot be read: {error.strerror}"))

    own: set[Path] = set()
    for place, folders, files in os.walk(folder, onerror=refused):
        here = Path(place)
        if here in own:
            folders[:] = [SUBAGENTS] if SUBAGENTS in folders else []
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        names = sorted(name for name in files if not name.startswith("."))
        held = set(names)
        own.update(here / name for name in folders if f"{name}.jsonl" in held)
        for name in names:
            path = here / name
            if path.is_symlink() or path.is_file():
                yield path


def _grouped(logs: list[str], skipped: list[Skipped]) -> tuple[tuple[SessionFile, ...], tuple[str, ...]]:
    """Return the sessions among the logs, each with its subagents' files and the log that it is a copy of; and strays.

    A stray is a subagent's log without its session.
    """
    glances = {path: glance(path) for path in logs}
    own = [path for path in logs if not is_agent(path)]
    by_session: dict[str, str] = {}
    for path in own:
        seen = glances[path]
        if seen is not None and not seen.side and seen.session:
            by_session[seen.session] = path
    agents: dict[str, list[str]] = {}
    lone: list[str] = []
    strays: list[str] = []
    for path in logs:
        seen = glances[path]
        owner = _owner(path, seen, by_session)
        if owner is not None and owner != path and (is_agent(path) or (seen is not None and seen.side)):
            agents.setdefault(owner, []).append(path)
        elif is_agent(path):
            strays.append(path)
            skipped.append(Skipped(path, "a subagent's log, and its session is not in the folder"))
        else:
            lone.append(path)
    candidates = [Candidate(path, seen.keys, seen.last) for path in lone if (seen := glances[path]) is not None]
    copies = copies_among(candidates)
    sessions = (
        SessionFile(path, _size(path), glances[path], tuple(agents.get(path, ())), copies.get(path)) for path in lone
    )
    return tuple(sessions), tuple(strays)


def _owner(path: str, seen: Glance | None, by_session: dict[str, str]) -> str | None:
    """Return the log of the session that a subagent's file belongs to: by its folder, else by the id in it."""
    parent = Path(path).parent
    if parent.name == SUBAGENTS:
        above = parent.parent.with_name(f"{parent.parent.name}.jsonl")
        if above.is_file():
            return str(above)
    return by_session.get(seen.session) if seen is not None and seen.session else None


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
