"""Events: what the harness itself did to its window, as its log records it."""

from __future__ import annotations

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.value import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """A recorded removal that stands before item `at` of the transcript.

    `kind` is `compaction` (everything before `at` left, `summary` stands for it), `microcompaction` (the results
    at `cleared` were replaced), `window` (a true request lacks the items at `left`, and holds those at `back` again)
    or `clear` (a true request holds the items at `cleared` in another form: `shown`, in the same order). `call` is
    the first call sent after it. `pre_tokens` is the harness's own figure.
    `kept` are positions before `at` that stayed verbatim in spite of it.
    """

    kind: str
    at: int
    call: int
    where: str
    line: int | None = None
    trigger: str | None = None
    pre_tokens: int | None = None
    summary: Blocks = ()
    summary_id: str | None = None
    summary_line: int | None = None
    cleared: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    back: tuple[int, ...] = ()
    shown: tuple[Blocks, ...] = ()
