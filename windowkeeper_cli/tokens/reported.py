"""`reported`: the provider's own figures trigger, and what they do not divide among items is calibrated to them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.tokens import calibrated

ARGUMENT = ""


def count(transcript: Transcript, argument: str = "") -> Counts:
    """Count items as `calibrated` does; raise CompactionUnmeasurableError where no call reports its prompt."""
    del argument
    calls = calibrated.reporting_calls(transcript)
    if not calls:
        raise CompactionUnmeasurableError(
            "unmeasurable: --counter reported, and no call of this transcript reports any tokens",
            "--counter estimate accepts an estimate instead",
        )
    found = calibrated.count(transcript)
    old = found.counter.label
    sentence = f"reported by the provider for {calls:,} of {len(transcript.calls):,} calls; items {old.sentence}"
    label = replace(old, name="reported", sentence=sentence, measured=True)
    return replace(found, counter=replace(cast(Any, found.counter), label=label))
