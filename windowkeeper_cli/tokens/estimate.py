"""`estimate`: byte pair weights fitted to o200k_base, at the scale of the transcript's model family."""

from __future__ import annotations

from windowkeeper_cli.model.counter import CounterLabel, Counts
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.tokens.families import Family, family_of, main_model
from windowkeeper_cli.tokens.scaled import ScaledCounter
from windowkeeper_cli.tokens.tally import Tally, tally_items

ARGUMENT = ""


def counter(model: str | None = None, why: str = "") -> ScaledCounter:
    """Return the counter for a model's family; `why` says why nothing better was to be had."""
    family = family_of(model)
    return ScaledCounter(CounterLabel("estimate", _sentence(family, why)), family.scale)


def count(transcript: Transcript, argument: str = "") -> Counts:
    """Count every item of the transcript once."""
    del argument
    return of_tallies(transcript, tally_items(transcript))


def of_tallies(transcript: Transcript, tallies: list[Tally], why: str = "") -> Counts:
    """Return the estimate of items that were tallied already."""
    chosen = counter(main_model(transcript), why)
    return Counts(chosen.all_tokens(tallies), chosen, sum(found.hidden for found in tallies))


def _sentence(family: Family, why: str) -> str:
    scaled = f"estimated, at the scale of {family.words}" if family.words else "estimated"
    return f"{scaled} ({why})" if why else scaled
