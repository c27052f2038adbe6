"""The battery's sessions and policies drawn for one strategy: those of `tests/generated.py`, dressed and loaded."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from tests import generated
from tests.generated import Case, Json
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.replay.battery.dressed import dressed
from windowkeeper_cli.replay.battery.policies import SECTIONS, pins
from windowkeeper_cli.tokens import counts
from windowkeeper_cli.tokens.chars import count

__all__ = ["DRAWN", "OTHERS", "REFERENCE", "by_seed", "case_of", "cases", "dressed", "policy_of"]
REFERENCE = ("sliding-window", "token-budget", "summarize-oldest")
OTHERS = ("sliding-tokens", "clear-tool-results", "handles", "tiered")
DRAWN = (*REFERENCE, *OTHERS)


def by_seed(strategy: str, seed: int) -> Case:
    """Return the case of a seed under a strategy: the same on every machine."""
    return case_of(strategy, random.Random(f"windowkeeper {strategy} {seed}"))


def cases(strategy: str) -> st.SearchStrategy[Case]:
    """Return hypothesis's way to draw a case."""
    return st.builds(lambda r: case_of(strategy, r), st.randoms(use_true_random=False))


def case_of(strategy: str, r: random.Random) -> Case:
    document, policy = dressed(generated.session(r), r), policy_of(strategy, r)
    transcript = generated.loaded(document)
    chosen: Counts = count(transcript, r.choice(("1", "4", "4", "2.7")))
    name = r.choice(("chars", "chars", "estimate", "reported", "calibrated"))
    if name != "chars":
        try:
            chosen = counts(transcript, name)
        except CompactionUnmeasurableError:
            chosen = counts(transcript, "estimate")
    made = Counts(chosen.tokens, chosen.counter, chosen.hidden_thinking, explicit=True)
    return Case(document, policy, transcript, made, generated.settings(policy))


def policy_of(strategy: str, r: random.Random) -> Json:
    """Return a policy of the strategy over every key that it reads."""
    made = {"strategy": strategy, **SECTIONS[strategy](r)}
    return made | {"pins": pins(r)} if strategy in REFERENCE else made
