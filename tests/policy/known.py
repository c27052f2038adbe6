"""The strategies that the policy tests load under; `reads` as spec/9 law 2 and spec/5 name the sections."""

from __future__ import annotations

from windowkeeper_cli.model.errors import PolicyError
from windowkeeper_cli.policy import Loaded, Strategies, load_policy

READS: dict[str, tuple[str, ...]] = {
    "windowkeeper": ("budget", "protect", "toolResults", "resurface", "expire", "trim"),
    "none": (),
    "sliding-window": ("slidingWindow", "pins"),
    "summarize-oldest": ("summarizeOldest", "pins"),
    "clear-tool-results": ("clearToolResults",),
    "handles": ("handles",),
    "tiered": ("tiered",),
}
STRATEGIES = Strategies(tuple(READS), READS.__getitem__)


def load(data: str | bytes | None, name: str = "policy.json", *sets: str) -> Loaded:
    """Return the policy in `data`, a text or bytes, under the strategies of these tests."""
    content = data.encode() if isinstance(data, str) else data
    return load_policy(content, name, strategies=STRATEGIES, overrides=sets)


def problems(data: str | bytes | None, name: str = "policy.json", *sets: str) -> tuple[str, ...]:
    """Return the problems that loading `data` raises, none where it loads."""
    try:
        load(data, name, *sets)
    except PolicyError as error:
        return error.problems
    return ()
