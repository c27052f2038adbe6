"""Where a report goes: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from windowkeeper_cli.cli.surroundings import style_for
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.report.sheet import Report

BUFFERED = 1 << 16
EVERYWHERE = ("md", "html", "svg")
"""Formats that every report of sheets has besides those that its command names."""


class Output(NamedTuple):
    """How the user wants a report: format, file, colour, width."""

    format: str = "table"
    file: str | None = None
    color: str = "auto"
    width: int | None = None

    def check(self, formats: Sequence[str], inputs: Iterable[str] = ()) -> None:
        """Raise UsageError, before any work, where the format or the file cannot be."""
        if self.format not in RENDERERS.names:
            RENDERERS.module(self.format)
        known = known_formats(formats)
        if self.format not in known:
            raise UsageError(f"no format {self.format} here", f"use one of {', '.join(known)}")
        style_for(self.color, self.width, to_file=True)
        if self.file is not None:
            check_target(self.file, inputs)

    def write(self, report: Report) -> None:
        """Render the report and write it; nothing is left of a file that could not be finished."""
        style = style_for(self.color, self.width, to_file=self.file is not None)
        chunks: Iterator[bytes] = RENDERERS.module(self.format).render(report, style)
        if self.file is None:
            write_stdout(chunks)
        else:
            write_file(self.file, chunks)


def known_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """Return the formats of a command that names `formats`, with those that every report has."""
    return tuple(dict.fromkeys((*formats, *EVERYWHERE)))


def write_stdout(chunks: Iterable[bytes]) -> None:
    """Write chunks to standard output and flush it."""
    if sys.stdout is None:
        raise UsageError("standard output is closed", "use -o FILE")
    sys.stdout.flush()
    out = sys.stdout.buffer
    pending: list[bytes] = []
    size = 0
    for chunk in chunks:
        pending.append(chunk)
        size += len(chunk)
        if size >= BUFFERED:
            out.write(b"".join(pending))
            pending, size = [], 0
    out.write(b"".join(pending))
    out.flush()


def check_target(file: str, inputs: Iterable[str]) -> None:
    """Raise UsageError where `file` is an input, a folder, or in a folder that is not there."""
    path = Path(file)
    if path.is_dir():
        raise UsageError(f"-o {file} is a folder", "name a file")
    if not path.parent.is_dir():
        raise UsageError(f"-o {file}: no folder {path.parent}", "make it first")
    for name in inputs:
        try:
            same = name != "-" and path.exists() and path.samefile(name)
        except OSError:
            continue
        if same:
            raise UsageError(f"-o {file} is an input file", "name another file; an input is never written to")


def write_file(file: str, chunks: Iterable[bytes]) -> None:
    """Write chunks to a temporary file beside `file`, flush it to disk, and rename it into place."""
    path = Path(os.path.realpath(file))
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        with path.open("wb") as device:
            device.writelines(chunks)
        return
    temporary, descriptor = _temporary_beside(path)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.writelines(chunks)
            out.flush()
            os.fsync(out.fileno())
        if path.exists():
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    from windowkeeper_cli.archive.private import sync_folder

    sync_folder(path.parent)


def _temporary_beside(path: Path) -> tuple[Path, int]:
    """Return a new file in the folder of `path`, open; a leftover of a killed run is passed over."""
    for number in range(100):
        temporary = path.with_name(f".{path.name[:80]}.{os.getpid()}.{number}.part")
        try:
            return temporary, os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            continue
    raise UsageError(f"-o {path}: no temporary file beside it", "remove old .part files in its folder")
