"""How a command's TRANSCRIPT becomes a loaded one, with its warnings."""

from __future__ import annotations

import os
from pathlib import Path

from windowkeeper_cli.cli.progress import by_bytes
from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.heading import STDIN, by_kind, places
from windowkeeper_cli.report.subject import path_of

LARGE = 32 << 20
"""Bytes of a log that takes a second to load on a slow machine: it has a bar from there on."""


class Source(NamedTuple):
    """What the user typed to name a transcript, and how to read it; `shown` says that a bar may tell how far it is."""

    name: str
    also: tuple[str, ...] = ()
    format: str | None = None
    agent: str | None = None
    part: int | None = None
    root: str | None = None
    strict: bool = False
    shown: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Return the options to type again beside the name."""
        words = [word for path in self.also for word in ("--also", path)]
        for option, value in (("--from", self.format), ("--agent", self.agent), ("--part", self.part)):
            if value is not None:
                words += [option, str(value)]
        return (*words, *(("--root", self.root) if self.root is not None else ()))

    @property
    def alone(self) -> tuple[tuple[str, bool], ...]:
        """Return the options that speak of one session alone, and whether each was given."""
        given = (("--also", self.also), ("--agent", self.agent), ("--part", self.part))
        return tuple((option, bool(value)) for option, value in given)

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the files that are read; raise where the name names none."""
        return (self.path(), *self.also)

    def path(self) -> str:
        """Return the path that the name stands for; an existing path, or -, is itself."""
        if self.name == STDIN or os.path.lexists(self.name):
            return self.name
        from windowkeeper_cli.cli.surroundings import session_roots
        from windowkeeper_cli.formats.naming import ANY, OWN, resolve

        return resolve(self.name, session_roots(self.root), OWN if self.root is None else ANY)

    def load(self, *, needs_text: bool = True) -> Transcript:
        """Return the transcript, its items weighed; raise InputError where it cannot be loaded.

        Where texts are not much needed, those of a large log's results are left in the file.
        """
        from windowkeeper_cli.tokens.tally import weighed

        path = self.path()
        size = sum(file_size(name) for name in (path, *self.also))
        with by_bytes("loading", size, shown=self.shown and size >= LARGE) as advance:
            return load(
                path,
                also=self.also,
                from_=self.format,
                agent=self.agent,
                part=self.part,
                strict=self.strict,
                measure=weighed,
                keeps_text=needs_text or size < LARGE,
                progress=advance,
            )


def file_size(name: str) -> int:
    """Return a file's bytes, 0 where there is none."""
    try:
        return Path(name).stat().st_size
    except (OSError, ValueError):
        return 0


def warn_of_findings(transcript: Transcript, name: str, *, quiet: bool, verbose: bool) -> None:
    """Say on standard error what is wrong with the input: a line for each kind, with `verbose` for each finding."""
    if quiet:
        return
    log, name = transcript.log, path_of(name, transcript)
    if log.not_understood:
        warn(f"{name}: {log.not_understood:,} of {log.lines:,} lines not understood", quiet=quiet)
    for kind, group in by_kind(transcript.findings):
        if verbose:
            for finding in group:
                warn(f"{finding.where}: {kind}: {finding.text}", quiet=quiet)
        elif len(group) == 1:
            warn(f"{group[0].where}: {kind}: {group[0].text}", quiet=quiet)
        else:
            more = f"{len(group):,} of them: {places(name, group)}"
            warn(f"{group[0].where}: {kind}: {group[0].text} ({more})", quiet=quiet)


def counted(transcript: Transcript, counter: str) -> Counts:
    """Return the tokens of every item by the counter called `counter`."""
    from windowkeeper_cli.tokens import counts

    return counts(transcript, counter)
