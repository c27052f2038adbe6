"""Errors that a user can act on, each one line: where, what is wrong, what to do."""

from __future__ import annotations


class WindowkeeperError(Exception):
    """An input, policy or argument is wrong; `str()` is one line, and the process exits with `exit_code`."""

    exit_code = 2

    def __init__(self, what: str, todo: str = "", *, where: str = "") -> None:
        self.where = where
        self.what = what
        self.todo = todo
        parts = [f"{where}: " if where else "", what, f"; {todo}" if todo else ""]
        super().__init__("".join(parts))


class InputError(WindowkeeperError):
    """A transcript cannot be loaded; `where` names file, line and column as far as they are known."""

    @classmethod
    def at(cls, path: str, line: int | None, column: int | None, what: str, todo: str) -> InputError:
        """Return the error that names `path`, the line and the column (both counted from 1)."""
        where = ":".join(str(part) for part in (path, line, column) if part is not None)
        return cls(what, todo, where=where)


class PolicyError(WindowkeeperError):
    """A policy is wrong; `problems` holds every one of them, each a line of its own."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


class ArchiveError(WindowkeeperError):
    """An archive cannot be opened or written, or what is asked of it is damaged; the rest of it stands."""


class UsageError(WindowkeeperError):
    """The arguments of a command do not fit together, or name something that is not there."""


class UnmeasurableError(WindowkeeperError):
    """A strategy needs a figure that nothing has counted; `reason` is the name a report shows."""

    reason = "unmeasurable"


class CompactionUnmeasurableError(UnmeasurableError):
    """A token-triggered strategy has no figure to trigger on; named after the reference's error."""
