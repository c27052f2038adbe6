"""Readings: what a provider reported for a call, as a token-triggered strategy may see it."""

from __future__ import annotations

from windowkeeper_cli.model.value import NamedTuple


class Reading(NamedTuple):
    """Input and output tokens of the call at `iteration` of its run."""

    input: int
    output: int
    iteration: int
