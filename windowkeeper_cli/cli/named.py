"""Which sessions do a command's paths name: files, ids, the logs of folders, and their subagents' transcripts?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from windowkeeper_cli.cli.folders import Wanted, outlines
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.progress import by_bytes
from windowkeeper_cli.formats.folder import Folder, SessionFile, agent_id, session_files
from windowkeeper_cli.formats.outline import Outline, glance
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.heading import STDIN
from windowkeeper_cli.report.replay import Skip


class NamedFile(NamedTuple):
    """A session as the user typed it, or by its log's path in a folder; `path` is the file that it is read from.

    `words` are the options that choose a subagent's transcript of the session called `name`. `in_folder` says that
    only its folder was named, and `wanted` what of the filters its head and tail did not answer.
    """

    name: str
    path: str
    source: Source
    words: tuple[str, ...] = ()
    in_folder: bool = False
    wanted: Wanted = Wanted()


class Taken(NamedTuple):
    """What a command takes of the paths: how each is read, what is wanted of folders' sessions, in how many processes.

    `subagents` says that subagents' transcripts of folders are sessions too.
    """

    source: Source
    wanted: Wanted = Wanted()
    subagents: bool = False
    processes: int = 1
    shown: bool = False


def is_folder(name: str) -> bool:
    """Return whether a path that the user typed is a folder."""
    try:
        return name != STDIN and Path(name).is_dir()
    except (OSError, ValueError):
        return False


def require_one(paths: Sequence[str], given: Sequence[tuple[str, bool]]) -> None:
    """Raise UsageError where an option that speaks of one session was given, and not one session was named."""
    folder = any(is_folder(path) for path in paths)
    if len(paths) == 1 and not folder:
        return
    found = next((name for name, is_given in given if is_given), None)
    if found is not None:
        what = "a folder is named" if folder else f"{len(paths):,} are named"
        raise UsageError(f"{found} speaks of one session, and {what}", "name one of its sessions")


def named_files(paths: Sequence[str], taken: Taken) -> tuple[list[NamedFile], list[Skip]]:
    """Return all sessions, each once, those of folders by path, and what of folders is left out.

    Raises UsageError where an option does not fit what is named, InputError for a folder without a session.
    """
    require_one(paths, taken.source.alone)
    if taken.subagents and not any(map(is_folder, paths)):
        raise UsageError("--subagents is for folders, and none is named", "choose one by --agent ID; info lists them")
    named: list[NamedFile] = []
    skips: list[Skip] = []
    for name in paths:
        if is_folder(name):
            folder = session_files(name)
            named += _in_folder(folder, taken)
            skips += _left_out(folder, taken)
        else:
            path = taken.source._replace(name=name).path()
            named.append(NamedFile(name, path, taken.source._replace(name=path)))
    return _each_once(named, skips), skips


def _each_once(named: Sequence[NamedFile], skips: list[Skip]) -> list[NamedFile]:
    """Return the sessions without repetitions, which are left out; what was named itself stands for what a folder has.

    Where it stands is where it came first.
    """
    once: dict[tuple[str, str | None], NamedFile] = {}
    for one in named:
        key = os.path.realpath(one.path), one.source.agent
        before = once.get(key)
        if before is not None:
            skips.append(Skip(one.path, "named twice", damaged=False))
        if before is None or (before.in_folder and not one.in_folder):
            once[key] = one
    return list(once.values())


def _in_folder(folder: Folder, taken: Taken) -> Iterator[NamedFile]:
    """Yield the sessions of a folder that may be wanted, each before its subagents."""
    fitting = [file for file in folder.sessions if file.copy_of is None and taken.wanted.may_fit(file)]
    inside = _inside(fitting, taken) if taken.subagents else {}
    for file in folder.sessions:
        if file.copy_of is None and taken.wanted.may_fit(file):
            source = taken.source._replace(name=file.path)
            yield NamedFile(file.path, file.path, source, (), True, taken.wanted.still_open(file))
        if taken.subagents:
            yield from _subagents(file, inside, taken)
    if taken.subagents:
        yield from (_beside(path, path, taken) for path in folder.strays if _may_fit(path, taken))


def _left_out(folder: Folder, taken: Taken) -> Iterator[Skip]:
    strays = folder.strays if taken.subagents else ()
    yield from (Skip(one.path, one.why, damaged=False) for one in folder.skipped if one.path not in strays)
    for file in folder.sessions:
        if file.copy_of is not None:
            yield Skip(file.path, f"a copy of {file.copy_of}", damaged=False)


def _inside(files: Sequence[SessionFile], taken: Taken) -> dict[str, tuple[str, ...]]:
    """Return the ids of the subagents whose lines are in each session's own file; it takes an outline of each."""
    found: dict[str, tuple[str, ...]] = {}
    with by_bytes("looking for subagents", sum(file.size for file in files), shown=taken.shown) as advance:
        for place, seen in outlines(files, taken.source.format, taken.processes):
            advance(files[place].size)
            if isinstance(seen, Outline):
                found[files[place].path] = seen.agents
    return found


def _subagents(file: SessionFile, inside: dict[str, tuple[str, ...]], taken: Taken) -> Iterator[NamedFile]:
    """Yield a session's subagents, those in its file first; one that is in a file of its own too is one."""
    for agent in inside.get(file.path, ()):
        source = taken.source._replace(name=file.path, agent=agent)
        yield NamedFile(file.path, file.path, source, ("--agent", agent), True, taken.wanted)
    known = inside.get(file.copy_of or file.path, ())
    for path in file.agents:
        if agent_id(path) not in known and _may_fit(path, taken):
            yield _beside(file.path, path, taken)


def _beside(session: str, path: str, taken: Taken) -> NamedFile:
    """Return a subagent whose transcript is a file of its own; by its path where `--agent` would not look for it."""
    near = Path(path).parent in (Path(session).parent, Path(session).with_suffix("") / "subagents")
    found = near and session != path and Path(path).match("agent-*.jsonl")
    source = taken.source._replace(name=path)
    words = ("--agent", agent_id(path)) if found else ()
    return NamedFile(session if found else path, path, source, words, True, taken.wanted)


def _may_fit(path: str, taken: Taken) -> bool:
    return taken.wanted.may_fit(SessionFile(path, 0, glance(path)))
