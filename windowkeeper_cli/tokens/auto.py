"""`auto`: calibrated where the log reports usage on three calls or more, else the estimate."""

from __future__ import annotations

from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.tokens import calibrated, estimate

ARGUMENT = ""


def count(transcript: Transcript, argument: str = "") -> Counts:
    """Count every item once; the label says which counter it was."""
    if calibrated.reporting_calls(transcript) >= calibrated.FEWEST_CALLS:
        return calibrated.count(transcript, argument)
    return estimate.count(transcript, argument)
