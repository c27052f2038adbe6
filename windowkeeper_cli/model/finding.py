"""Findings: what is odd or damaged in an input, as values with a place."""

from __future__ import annotations

from windowkeeper_cli.model.value import dataclass

KINDS = (
    "truncated-json",
    "spliced-json",
    "not-json",
    "invalid-utf8",
    "lone-surrogate",
    "unknown-record",
    "unknown-block",
    "orphan-tool-result",
    "duplicate-tool-result",
    "unanswered-tool-call",
    "duplicate-tool-call-id",
    "late-tool-result",
    "dangling-reasoning",
    "dangling-parent",
    "abandoned-branch",
    "id-clash",
)
NO_FAULTS = frozenset({"unknown-record", "unknown-block"})
"""Counted and shown, but nothing is wrong with the input: `--strict` leaves them out."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `kind` is one of `KINDS`; `where` is `file:line` or a path inside the document.

    `line` counts from 1 and is split at LF only; `id` is the tool call, reasoning item or message concerned.
    """

    kind: str
    where: str
    text: str
    line: int | None = None
    id: str | None = None

    @property
    def is_fault(self) -> bool:
        """Return whether something is wrong, rather than only new to us."""
        return self.kind not in NO_FAULTS
