"""Which policies are drawn? Over every key that a strategy reads, mostly far too small, so that much leaves."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator

from windowkeeper_cli.replay.battery.awkward import Json
from windowkeeper_cli.replay.battery.draw import Draw


def reducer_policy(r: Draw) -> Json:
    """Return a policy over every key that the reducer reads, mostly far too small."""
    limit = r.choice((40, 300, 1_000, 3_000, 8_000, 8_000))
    reserve = r.choice((0, 0, 17))
    budget: Json = {"max": limit + reserve, "reserve": reserve, "target": r.choice((None, 0, limit // 4, limit))}
    budget |= {"stopAtTarget": r.random() < 0.8, "backoff": r.choice((0, 0.1, 0.1, 2))}
    budget["idleSeconds"] = r.choice((None, None, 60, 300, 0.5))
    tools: Json = {"maxTokensEach": r.choice((1, 30, 80, 300)), "evictAfterTurns": r.choice((0, 1, 3, 8))}
    tools |= {"keepHead": r.choice((0.7, 0, 0.99)), "truncateRecent": r.random() < 0.7, "keepErrors": r.random() < 0.7}
    tools["keepTail"] = 0 if tools["keepHead"] == 0.99 else r.choice((0.24, 0, 0.29))
    tools |= {"keepErrorsTurns": r.choice((False, 0, 2, 30)), "keepLatestPerTool": r.choice((0, 0, 1, 2))}
    tools["excludeTools"] = r.choice(([], [], ["plan"], ["plan", "bash"]))
    protect: Json = {"latestUserTurns": r.choice((0, 1, 1, 2)), "recentTurns": r.choice((0, 1, 2, 6))}
    protect |= {"pinned": r.random() < 0.8, "tags": r.choice((["decision"], [], ["decision", "log"]))}
    protect |= {"patterns": r.choice(([], [], ["(?i)never"], ["^Look", "always"])), "task": r.random() < 0.3}
    expire: Json = {"now": r.random() < 0.2, "tools": r.choice(({}, {"grep": 0}, {"bash": 3, "plan": 1}))}
    expire["tags"] = r.choice(({}, {"scratch": 1, "log": 0}))
    resurface: Json = {"identifiers": r.random() < 0.85, "maxItems": r.choice((0, 1, 2, 4, 4, 4))}
    if r.random() < 0.35:  # little is kept and the limit is roomy, so that much leaves and can come back
        budget |= {"max": r.choice((1_500, 4_000)), "reserve": 0, "target": None}
        tools |= {
            "keepLatestPerTool": 0,
            "excludeTools": [],
            "keepErrors": False,
            "evictAfterTurns": r.choice((0, 2, 99)),
        }
        protect |= {"recentTurns": 1, "tags": []}
        resurface = {"identifiers": True, "maxItems": 4}
    policy: Json = {"budget": budget, "toolResults": tools, "protect": protect, "expire": expire}
    return policy | {"resurface": resurface, "trim": {"enabled": r.random() < 0.85}}


def _threshold(r: Draw) -> float:
    return r.choice((1, 0.5, 100, 600, 2_000, 5_000))


def _clear(r: Draw) -> Json:
    own: Json = {"trigger": r.choice((0, 50, 500, 2_000)), "mode": r.choice(("all", "fit"))}
    own |= {"keep": r.choice((0, 1, 3, 9)), "keepTokens": r.choice((None, None, 0, 100, 1_000))}
    own |= {"clearAtLeast": r.choice((0, 0, 30, 500, 4_000)), "atLeastRule": r.choice(("gate", "stop"))}
    own["idleMinutes"] = r.choice((None, None, None, 1, 5, 60))
    own["excludeTools"] = r.choice(([], [], ["plan"], ["plan", "bash"]))
    return {"clearToolResults": own | {"clearToolInputs": r.random() < 0.5}}


def _tiered(r: Draw) -> Json:
    own: Json = {"limit": r.choice((100, 800, 3_000, 9_000)), "targetShare": r.choice((0.65, 0.1, 1))}
    own |= {"evictOverTokens": r.choice((0, 40, 200, 2_000)), "keepRecentItems": r.choice((0, 1, 2, 6))}
    return {"tiered": own | {"minMiddle": r.choice((0, 1, 4, 12)), "summaryTokens": r.choice((1, 30, 700))}}


SECTIONS: dict[str, Callable[[Draw], Json]] = {
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
"""The sections that a strategy alone reads, by its name."""


def pins(r: Draw) -> Json:
    """Return the section of evidence pins, which the reference strategies share."""
    return {"keepLastToolResults": r.choice((2, 2, 1, 3, 0, False)), "strictPairs": r.random() < 0.3}


def sets_of(reads: Collection[str], r: Draw, given: Collection[str] = ()) -> tuple[str, ...]:
    """Return `KEY=VALUE` words over every key of the sections in `reads`, but for the keys that are `given`."""
    drawn = reducer_policy(r)
    for section in SECTIONS.values():
        drawn |= section(r)
    drawn["pins"] = pins(r)
    return tuple(word for word in _words(drawn, reads) if not _is_given(word.partition("=")[0], given))


def _words(policy: Json, reads: Collection[str]) -> Iterator[str]:
    for name, section in policy.items():
        if name in reads:
            for key, value in section.items():
                yield f"{name}.{key}={json.dumps(value, separators=(',', ':'))}"


def _is_given(key: str, given: Collection[str]) -> bool:
    return any(one == key or one.startswith(f"{key}.") for one in given)
