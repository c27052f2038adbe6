"""Settings: a policy's effective values, one frozen section each; the defaults suit a coding agent on 200k tokens.

Field names are the policy keys in snake case; `policy` makes these from a file, a library user in code.
Numbers count tokens unless the name says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from windowkeeper_cli.model.value import dataclass

EMPTY: Mapping[str, int] = MappingProxyType({})
NO_BOUNDS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Budget:
    """When to re-plan, and down to what; `target` None means half of the limit."""

    max: int = 160_000
    target: int | None = None
    reserve: int = 16_000
    stop_at_target: bool = True
    backoff: float = 0.1
    idle_seconds: float | None = None

    @property
    def limit(self) -> int:
        """Return the tokens that trip a re-plan: max - reserve."""
        return self.max - self.reserve

    @property
    def goal(self) -> int:
        """Return the tokens that a re-plan brings the window down to."""
        return self.limit // 2 if self.target is None else self.target


@dataclass(frozen=True, slots=True)
class Protect:
    """What may not leave, by place and by flag; `patterns` are regular expressions over a person's text."""

    latest_user_turns: int = 1
    recent_turns: int = 6
    pinned: bool = True
    tags: tuple[str, ...] = ("decision",)
    patterns: tuple[str, ...] = ()
    task: bool = False


@dataclass(frozen=True, slots=True)
class ToolResults:
    """How tool results are cut and moved out; `keep_errors_turns` None keeps errors for ever."""

    max_tokens_each: int = 4_000
    keep_head: float = 0.7
    keep_tail: float = 0.24
    truncate_recent: bool = True
    evict_after_turns: int = 8
    keep_errors: bool = True
    keep_errors_turns: int | None = 30
    keep_latest_per_tool: int = 1
    exclude_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resurface:
    """Whether what the current request names stays or comes back, and how many items at most."""

    identifiers: bool = True
    max_items: int = 4


@dataclass(frozen=True, slots=True)
class Expire:
    """Ages in turns after which the results of a tool, or the items with a tag, are due to leave."""

    now: bool = False
    tools: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    tags: Mapping[str, int] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Trim:
    """Whether whole turns may leave."""

    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Prices:
    """What a cached and a freshly written input token cost, in plain input tokens."""

    cache_read: float = 0.1
    cache_write: float = 1.0


@dataclass(frozen=True, slots=True)
class Pins:
    """Evidence pins of the reference strategies: how many turns, and whether late pairs leave together."""

    keep_last_tool_results: int | None = 2
    strict_pairs: bool = False


@dataclass(frozen=True, slots=True)
class SlidingWindow:
    """`keep_recent_turns` has no default: it is the policy."""

    keep_recent_turns: int | None = None


@dataclass(frozen=True, slots=True)
class SlidingTokens:
    """`max_tokens` has no default: it is the policy."""

    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """Drops old turns while the last reported input is over `threshold_tokens`, which has no default."""

    threshold_tokens: float | None = None
    keep_recent_turns: int = 6


@dataclass(frozen=True, slots=True)
class SummarizeOldest:
    """Folds old turns while the last reported input is over `threshold_tokens`, which has no default."""

    threshold_tokens: float | None = None
    keep_recent_turns: int = 6
    summary_tokens: int = 700


@dataclass(frozen=True, slots=True)
class ClearToolResults:
    """Replaces old tool results in place; `mode` is `all` or `fit`, `at_least_rule` is `gate` or `stop`."""

    trigger: int = 100_000
    mode: str = "all"
    keep: int = 3
    keep_tokens: int | None = None
    clear_at_least: int = 0
    at_least_rule: str = "gate"
    idle_minutes: float | None = None
    exclude_tools: tuple[str, ...] = ()
    clear_tool_inputs: bool = False


@dataclass(frozen=True, slots=True)
class Tiered:
    """Classes by flags, acted on at a share of `limit`."""

    limit: int = 200_000
    target_share: float = 0.65
    evict_over_tokens: int = 500
    keep_recent_items: int = 6
    min_middle: int = 4
    summary_tokens: int = 700


@dataclass(frozen=True, slots=True)
class Handles:
    """Large results enter as an excerpt of `excerpt_chars` characters; no tools named means all of them."""

    over_tokens: int = 1_000
    excerpt_chars: int = 800
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """Bounds for the command `check`, by the name of a figure."""

    max: Mapping[str, float] = field(default_factory=lambda: NO_BOUNDS)
    min: Mapping[str, float] = field(default_factory=lambda: NO_BOUNDS)


@dataclass(frozen=True, slots=True)
class Settings:
    """A whole policy: exactly one strategy, and every section with its effective values."""

    strategy: str = "windowkeeper"
    budget: Budget = Budget()
    protect: Protect = Protect()
    tool_results: ToolResults = ToolResults()
    resurface: Resurface = Resurface()
    expire: Expire = Expire()
    trim: Trim = Trim()
    prices: Prices = Prices()
    pins: Pins = Pins()
    sliding_window: SlidingWindow = SlidingWindow()
    sliding_tokens: SlidingTokens = SlidingTokens()
    token_budget: TokenBudget = TokenBudget()
    summarize_oldest: SummarizeOldest = SummarizeOldest()
    clear_tool_results: ClearToolResults = ClearToolResults()
    tiered: Tiered = Tiered()
    handles: Handles = Handles()
    check: Check = Check()


Policy = Settings
