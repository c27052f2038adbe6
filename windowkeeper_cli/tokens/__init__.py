"""Counters: how many tokens an item takes, and what the figure counts."""

from __future__ import annotations

from dataclasses import replace

from windowkeeper_cli.model.counter import Counter, Counts
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.registry import Registry
from windowkeeper_cli.model.transcript import Transcript

COUNTERS = Registry(
    "counter",
    __name__,
    (
        ("auto", "auto"),
        ("estimate", "estimate"),
        ("chars", "chars"),
        ("calibrated", "calibrated"),
        ("reported", "reported"),
    ),
)
AUTO = "auto"
LATER = ("bpe",)
"""Counters that the specification names and this version does not have."""


def counts(transcript: Transcript, name: str = "auto") -> Counts:
    """Count every item of the transcript once, by the counter of that name; raise UsageError for an unknown one."""
    family, _, argument = name.partition(":")
    if family in LATER:
        raise UsageError(f"counter {family!r} is not in this version", f"known: {', '.join(known())}")
    if family not in COUNTERS.names:
        raise UsageError(f"unknown counter {name!r}", f"known: {', '.join(known())}")
    module = COUNTERS.module(family)
    if ":" in name and not module.ARGUMENT:
        raise UsageError(f"counter {family!r} takes nothing after a colon", f"known: {', '.join(known())}")
    found: Counts = module.count(transcript, argument)
    return replace(found, explicit=family != AUTO)


def known() -> tuple[str, ...]:
    """Return the counters' names as a user writes them, `chars:N` with its argument."""
    arguments = [COUNTERS.module(name).ARGUMENT for name in COUNTERS.names]
    return tuple(
        f"{name}:{argument}" if argument else name for name, argument in zip(COUNTERS.names, arguments, strict=True)
    )


def estimating(model: str | None = None) -> Counter:
    """Return the `estimate` counter for a model's family, for use without a transcript."""
    found: Counter = COUNTERS.module("estimate").counter(model)
    return found
