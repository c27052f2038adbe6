"""The token trigger: act while the last reported input is over a threshold; counted, never guessed.

Source: agentfootprint 9.62.0, token-budget and summarize-oldest.
"""

from __future__ import annotations

from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.rules.visit import Visit


def over_threshold(visit: Visit, threshold: float) -> int | None:
    """Return the input tokens of the current reading where they are over `threshold`, else None.

    Raise CompactionUnmeasurableError where the provider reported 0 input and 0 output tokens.
    """
    reading = visit.reading
    if reading is None or reading.iteration < visit.call.iteration - 1:
        return None
    if reading.input == 0 and reading.output == 0:
        raise CompactionUnmeasurableError(
            f"call {visit.call.number}: the provider reported 0 input and 0 output tokens, so the window is unmeasured",
            "use --counter estimate to accept an estimate, or a strategy that needs no figure",
        )
    return reading.input if reading.input > threshold else None
