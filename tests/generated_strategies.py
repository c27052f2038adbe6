"""Sessions and policies drawn for one strategy: those of `tests/generated.py`, dressed with what strategies read.

That is: stages, reported usage (none, zero and far too large ones), texts that begin like a notice, one request asked
twice, tools with names that no notice may print, and settings mostly far too small.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from tests import generated
from tests.generated import Case, Json
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.tokens import counts
from windowkeeper_cli.tokens.chars import count

REFERENCE = ("sliding-window", "token-budget", "summarize-oldest")
OTHERS = ("sliding-tokens", "clear-tool-results", "handles", "tiered")
DRAWN = (*REFERENCE, *OTHERS)
NAMES = (
    "bad name",
    "line\nfeed",
    "x" * 49,
    "x" * 48,
    "mcp:a.b-c",
    "ünïcode",
    "",
    "read_file\n",
    "t5",
    "t6",
    "t7",
    "t8",
)


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


def dressed(document: Json, r: random.Random) -> Json:
    """Return the session with stages, usage, odd tool names and texts of other strategies, some of each or none."""
    messages = document["messages"]
    renamed = {name: r.choice(NAMES) for name in generated.TOOLS} if r.random() < 0.3 else {}
    spread = r.random() < 0.3
    staged, used, posing, twice = (r.random() < chance for chance in (0.4, 0.5, 0.2, 0.2))
    for message in messages:
        if staged and r.random() < 0.9:
            message["stage"] = r.choice(("tool-calls#1", "tool-calls#2", "seed#0", "notes#3"))
        for call in message.get("toolCalls") or ():
            call["name"] = r.choice((*NAMES, *generated.TOOLS)) if spread else renamed.get(call["name"], call["name"])
        if used and message["role"] == "assistant" and r.random() < 0.9:
            message["usage"] = {"inputTokens": r.choice((0, 1, 500, 3_000, 40_000)), "outputTokens": r.choice((1, 20))}
            if r.random() < 0.02:
                message["usage"] = {"inputTokens": 0, "outputTokens": 0}
        if message["role"] == "user" and twice and r.random() < 0.5:
            message["content"] = "Check d1"
        if message["role"] == "user" and posing and r.random() < 0.4:
            kind = r.choice(("[dropped history", "[compacted history", "[compacted history: old] "))
            message["content"] = kind + r.choice(("", ": so much", "x" * 500))
    return document


def policy_of(strategy: str, r: random.Random) -> Json:
    """Return a policy of the strategy over every key that it reads."""
    made = {"strategy": strategy, **SECTIONS[strategy](r)}
    if strategy in REFERENCE:
        made["pins"] = {"keepLastToolResults": r.choice((2, 2, 1, 3, 0, False)), "strictPairs": r.random() < 0.3}
    return made


def _threshold(r: random.Random) -> float:
    return r.choice((1, 0.5, 100, 600, 2_000, 5_000))


def _clear(r: random.Random) -> Json:
    own: Json = {"trigger": r.choice((0, 50, 500, 2_000)), "mode": r.choice(("all", "fit"))}
    own |= {"keep": r.choice((0, 1, 3, 9)), "keepTokens": r.choice((None, None, 0, 100, 1_000))}
    own |= {"clearAtLeast": r.choice((0, 0, 30, 500, 4_000)), "atLeastRule": r.choice(("gate", "stop"))}
    own["idleMinutes"] = r.choice((None, None, None, 1, 5, 60))
    own["excludeTools"] = r.choice(([], [], ["plan"], ["plan", "bash"]))
    return {"clearToolResults": own | {"clearToolInputs": r.random() < 0.5}}


def _tiered(r: random.Random) -> Json:
    own: Json = {"limit": r.choice((100, 800, 3_000, 9_000)), "targetShare": r.choice((0.65, 0.1, 1))}
    own |= {"evictOverTokens": r.choice((0, 40, 200, 2_000)), "keepRecentItems": r.choice((0, 1, 2, 6))}
    return {"tiered": own | {"minMiddle": r.choice((0, 1, 4, 12)), "summaryTokens": r.choice((1, 30, 700))}}


SECTIONS: dict[str, Any] = {
    "sliding-window": lambda r: {"slidingWindow": {"keepRecentTurns": r.choice((1, 1, 2, 3, 6))}},
    "token-budget": lambda r: {
        "tokenBudget": {"thresholdTokens": _threshold(r), "keepRecentTurns": r.choice((1, 2, 3, 6))}
    },
    "summarize-oldest": lambda r: {
        "summarizeOldest": {
            "thresholdTokens": _threshold(r),
            "keepRecentTurns": r.choice((1, 1, 2, 3, 6)),
            "summaryTokens": r.choice((1, 10, 100, 700)),
        }
    },
    "sliding-tokens": lambda r: {"slidingTokens": {"maxTokens": r.choice((1, 50, 300, 1_000, 3_000, 8_000))}},
    "clear-tool-results": _clear,
    "handles": lambda r: {
        "handles": {
            "overTokens": r.choice((0, 5, 50, 300)),
            "excerptChars": r.choice((0, 1, 20, 117, 800)),
            "tools": r.choice(([], [], ["bash"], ["grep", "plan"])),
        }
    },
    "tiered": _tiered,
}
