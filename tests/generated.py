"""The battery's awkward sessions and policies, drawn by a seed or by hypothesis, and loaded."""

from __future__ import annotations

import json
import random
from typing import NamedTuple

from hypothesis import strategies as st

from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.policy import Strategies, load_policy
from windowkeeper_cli.replay.battery.awkward import ODD, TOOLS, Json, session
from windowkeeper_cli.replay.battery.policies import reducer_policy as policy_of
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.tokens.chars import count

__all__ = ["ODD", "TOOLS", "Case", "Json", "by_seed", "case_of", "cases", "loaded", "policy_of", "session", "settings"]


class Case(NamedTuple):
    """One drawn session with its policy, as loaded."""

    document: Json
    policy: Json
    transcript: Transcript
    counts: Counts
    settings: Settings


def by_seed(seed: int) -> Case:
    """Return the case of a seed: the same on every machine."""
    return case_of(random.Random(f"windowkeeper {seed}"))


def cases() -> st.SearchStrategy[Case]:
    """Return hypothesis's way to draw a case."""
    return st.builds(case_of, st.randoms(use_true_random=False))


def case_of(r: random.Random) -> Case:
    """Return a case drawn from `r`."""
    document, policy = session(r), policy_of(r)
    transcript = loaded(document)
    counts = count(transcript, r.choice(("1", "4", "4", "2.7")))
    return Case(document, policy, transcript, counts, settings(policy))


def loaded(document: Json) -> Transcript:
    """Return a document in our own format as a transcript."""
    return loads(json.dumps(document).encode(), "generated.json", from_="windowkeeper")


def settings(policy: Json) -> Settings:
    """Return the settings of a policy as it would stand in a file; raises PolicyError where it is wrong."""
    strategies = Strategies(STRATEGIES.names, lambda name: STRATEGIES.module(name).READS)
    return load_policy(json.dumps(policy).encode(), "policy.json", strategies=strategies).settings
