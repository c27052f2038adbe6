"""Limits: every strategy's own budget set to one number, so that strategies are compared on equal terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from windowkeeper_cli.model.settings import Settings

At = Callable[[Settings, int, int], Settings]


def at_limit(settings: Settings, limit: int, prefix: int) -> Settings:
    """Return the settings with their strategy's budget at `limit` tokens of what the log holds.

    `prefix` is the unseen prefix in tokens; it comes on top, since a policy's own budget is the whole window. A
    strategy without a budget is returned as it is; `none` has one that it never keeps.
    """
    apply = _BY_STRATEGY.get(settings.strategy)
    return settings if apply is None else apply(settings, limit, prefix)


def _windowkeeper(settings: Settings, limit: int, prefix: int) -> Settings:
    own = settings.budget.target
    target = own if own is not None and own < limit else limit // 2
    return replace(settings, budget=replace(settings.budget, max=limit + prefix, reserve=0, target=target + prefix))


def _sliding_tokens(settings: Settings, limit: int, prefix: int) -> Settings:
    return replace(settings, sliding_tokens=replace(settings.sliding_tokens, max_tokens=limit + prefix))


def _clear_tool_results(settings: Settings, limit: int, prefix: int) -> Settings:
    return replace(settings, clear_tool_results=replace(settings.clear_tool_results, trigger=limit + prefix))


def _token_budget(settings: Settings, limit: int, prefix: int) -> Settings:
    return replace(settings, token_budget=replace(settings.token_budget, threshold_tokens=limit + prefix))


def _summarize_oldest(settings: Settings, limit: int, prefix: int) -> Settings:
    return replace(settings, summarize_oldest=replace(settings.summarize_oldest, threshold_tokens=limit + prefix))


def _tiered(settings: Settings, limit: int, prefix: int) -> Settings:
    share = settings.tiered.target_share
    return replace(settings, tiered=replace(settings.tiered, limit=-int(-(limit + prefix) // share)))


_BY_STRATEGY: Mapping[str, At] = {
    "windowkeeper": _windowkeeper,
    "none": _windowkeeper,
    "sliding-tokens": _sliding_tokens,
    "clear-tool-results": _clear_tool_results,
    "token-budget": _token_budget,
    "summarize-oldest": _summarize_oldest,
    "tiered": _tiered,
}
