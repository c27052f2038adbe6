"""What a tested thing came to: one outcome a thing and kind of test, for reports that machines of a pipeline read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from windowkeeper_cli.model.value import NamedTuple

PASSED, WARNED, FAILED, BROKEN = "passed", "warned", "failed", "broken"
"""`warned` passed with a remark; `broken` could not be tested."""


class Outcome(NamedTuple):
    """One test of one thing: `group` is the thing, `name` the test, `state` how it ended.

    `title` says in a line what is wrong, `lines` are the evidence, `file` and `line` where that stands, if anywhere.
    """

    group: str
    name: str
    state: str
    title: str = ""
    lines: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None


class Tested(Protocol):
    """A report that tests something."""

    @property
    def name(self) -> str:
        """Return the report's name."""
        ...

    def outcomes(self) -> Iterator[Outcome]:
        """Yield every outcome, those of one group together."""
        ...
