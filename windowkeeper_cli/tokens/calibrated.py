"""`calibrated`: the estimate, scaled so that it fits the prompts that the session itself reports."""

from __future__ import annotations

from windowkeeper_cli.model.counter import CounterLabel, Counts
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.tokens import estimate
from windowkeeper_cli.tokens.fit import Fit, fit
from windowkeeper_cli.tokens.scaled import SCALE, ScaledCounter
from windowkeeper_cli.tokens.sent import sent_windows
from windowkeeper_cli.tokens.tally import Tally, tally_items
from windowkeeper_cli.tokens.weigh import UNIT

ARGUMENT = ""
FEWEST_CALLS = 3
FEWEST_CHARS, MOST_CHARS = 1.2, 4.5
"""Characters a token beyond these bounds mean that the log is not what was sent: the estimate stays as it is."""


def reporting_calls(transcript: Transcript) -> int:
    """Return how many calls report their prompt."""
    return sum(call.usage is not None and call.usage.prompt > 0 for call in transcript.calls)


def count(transcript: Transcript, argument: str = "") -> Counts:
    """Count every item once; where nothing can be fitted the label says why, and the figures are the estimate."""
    del argument
    tallies = tally_items(transcript)
    calls = reporting_calls(transcript)
    if calls < FEWEST_CALLS:
        why = f"{calls} calls report usage, {FEWEST_CALLS} are needed to calibrate"
        return estimate.of_tallies(transcript, tallies, why)
    found = fit(sent_windows(transcript, tallies))
    if found is None:
        why = "not calibrated: the reported prompts do not grow with the items"
        return estimate.of_tallies(transcript, tallies, why)
    ratio = chars_per_token(tallies, found.scale)
    if not FEWEST_CHARS <= ratio <= MOST_CHARS:
        why = f"not calibrated: the reported prompts would mean {ratio:.2f} characters a token"
        return estimate.of_tallies(transcript, tallies, why)
    hidden = sum(tally.hidden for tally in tallies)
    chosen = ScaledCounter(_label(found, calls, ratio, hidden), found.scale)
    return Counts(chosen.all_tokens(tallies), chosen, hidden)


def chars_per_token(tallies: list[Tally], scale: int) -> float:
    """Return the characters of all texts for each token at `scale`; 0 where there is no text."""
    weight = sum(found.size for found in tallies) * scale
    return sum(found.chars for found in tallies) * UNIT * SCALE / weight if weight else 0.0


def _label(found: Fit, calls: int, ratio: float, hidden: int) -> CounterLabel:
    sentence = (
        f"calibrated, fitted on {calls:,} calls: {ratio:.2f} characters a token, "
        f"unseen prefix {found.prefix:,}, median error {found.error_median * 100:.1f}%"
    )
    if hidden:
        sentence += f", {hidden:,} hidden thinking block{'s' if hidden > 1 else ''} not counted"
    return CounterLabel(
        name="calibrated",
        sentence=sentence,
        measured=True,
        chars_per_token=ratio,
        unseen_prefix=found.prefix,
        fitted_on=calls,
        error_median=found.error_median,
        error_p90=found.error_p90,
    )
