"""Calls: the model requests of a session, with what the provider reported for each."""

from __future__ import annotations

from windowkeeper_cli.model.value import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider reported them; `input` is the uncached part of the prompt.

    `output_final` is false where the log stopped before the reply's last figure. `reasoning` is the part of the
    output that was reasoning, 0 where nothing tells of any.
    """

    input: int
    output: int
    cache_read: int = 0
    cache_write: int = 0
    output_final: bool = True
    reasoning: int = 0

    @property
    def prompt(self) -> int:
        """Return the tokens of the whole prompt, cached ones included."""
        return self.input + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class Call:
    """Request number `number` (from 1), sent with the items before position `at`.

    `at` is the position of the assistant message that it produced. `run` counts requests being worked on from 1,
    `iteration` the calls in a run from 1. `anchor` is the position of the current request, -1 where there is none.
    """

    number: int
    at: int
    run: int
    iteration: int
    anchor: int
    message_id: str | None = None
    model: str | None = None
    time: str | None = None
    usage: Usage | None = None
