"""Would a provider accept a request? A naive reading: the whole request as plain messages, every pair looked at.

Knows nothing of the product's rules: providers, words and order are read off the published errors anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from windowkeeper_cli.model.block import Blocks, Text, Think, ToolCall, ToolResult

Found = tuple[str, int | None, str]
"""A rule's name, the item's position, the tool call's id."""


class Part(NamedTuple):
    """What stands in a window: position, role, blocks, the item's own blocks, calls that the harness answers itself."""

    at: int | None
    role: str
    blocks: Blocks
    own: Blocks
    spared: tuple[str, ...] = ()


class Group(NamedTuple):
    """A message of the request."""

    role: str
    parts: list[Part]

    def of(self, kind: type) -> list[tuple[Part, Any]]:
        return [(part, block) for part in self.parts for block in part.blocks if isinstance(block, kind)]

    @property
    def at(self) -> int | None:
        return next((part.at for part in self.parts if part.at is not None), None)


def grouped(parts: list[Part], provider: str, packed: bool) -> list[Group]:
    """Return the request's messages as the provider counts them."""
    groups: list[Group] = []
    for part in parts:
        role = part.role
        if provider == "anthropic" and role == "tool":
            role = "user"
        if role == "system" and provider in ("anthropic", "gemini"):
            continue
        if packed and role == "assistant" and len(part.blocks) == 0:
            continue
        together = {
            "anthropic": ["user", "assistant"],
            "openai-chat": ["tool"],
            "openai-chat-strict": ["tool"],
            "openai-responses": ["assistant"],
            "gemini": ["assistant", "tool"],
        }[provider]
        if groups and groups[-1].role == role and role in together:
            groups[-1].parts.append(part)
        else:
            groups.append(Group(role, [part]))
    return groups


def naive_faults(parts: list[Part], provider: str, packed: bool) -> set[Found]:
    """Return what a provider would complain of in this request."""
    groups = grouped(parts, provider, packed)
    found: set[Found] = set()
    for check in BY_PROVIDER[provider]:
        found |= set(check(groups, provider, packed))
    return found


def adjacent_pairs(groups: list[Group], _provider: str, _packed: bool) -> Iterator[Found]:
    for n, group in enumerate(groups):
        earlier = [call.id for _, call in groups[n - 1].of(ToolCall)] if n else []
        for part, result in group.of(ToolResult):
            if result.id not in earlier:
                yield "result-without-call", part.at, result.id
        if n + 1 < len(groups):
            later = [result.id for _, result in groups[n + 1].of(ToolResult)]
            for part, call in group.of(ToolCall):
                if call.id not in later and call.id not in part.spared:
                    yield "call-without-result", part.at, call.id


def pairs_anywhere(groups: list[Group], _provider: str, _packed: bool) -> Iterator[Found]:
    everything = [(n, part, block) for n, group in enumerate(groups) for part, block in group.of(object)]
    latest: dict[str, tuple[int, Part]] = {}
    for n, part, block in everything:
        if isinstance(block, ToolResult):
            before = [b for m, _, b in everything if isinstance(b, ToolCall) and b.id == block.id and m <= n]
            if not before:
                yield "result-without-call", part.at, block.id
        if isinstance(block, ToolCall) and block.id not in part.spared:
            latest[block.id] = (n, part)
    for ident, (n, part) in latest.items():
        if n == len(groups) - 1:
            continue
        if not [b for m, _, b in everything if isinstance(b, ToolResult) and b.id == ident and m > n]:
            yield "call-without-result", part.at, ident


def results_in_front(groups: list[Group], _provider: str, packed: bool) -> Iterator[Found]:
    for n in range(1, len(groups)):
        if packed or not groups[n - 1].of(ToolCall):
            continue
        blocks = groups[n].of(object)
        for k, (part, block) in enumerate(blocks):
            if isinstance(block, ToolResult) and [b for _, b in blocks[:k] if not isinstance(b, ToolResult)]:
                yield "results-first", part.at, block.id


def one_result_each(groups: list[Group], _provider: str, _packed: bool) -> Iterator[Found]:
    for group in groups:
        results = group.of(ToolResult)
        for k, (part, result) in enumerate(results):
            if result.id in [other.id for _, other in results[:k]]:
                yield "duplicate-result", part.at, result.id


def ids_differ(groups: list[Group], _provider: str, _packed: bool) -> Iterator[Found]:
    calls = [(part, call) for group in groups for part, call in group.of(ToolCall)]
    for k, (part, call) in enumerate(calls):
        if call.id in [other.id for _, other in calls[:k]]:
            yield "duplicate-call-id", part.at, call.id


def opens_well(groups: list[Group], provider: str, _packed: bool) -> Iterator[Found]:
    spoken = [group for group in groups if group.role != "system"]
    if not spoken or spoken[0].role == "user":
        return
    if provider != "gemini" or spoken[0].of(ToolCall):
        yield "first-message", spoken[0].at, ""


def says_something(groups: list[Group], provider: str, _packed: bool) -> Iterator[Found]:
    for n, group in enumerate(groups):
        silent = not group.of(object)
        last_reply = group.role == "assistant" and n == len(groups) - 1
        if silent and group.role in ("user", "assistant") and not last_reply:
            yield "empty-content", group.at, ""
        if provider in ("anthropic", "gemini"):
            for part, text in group.of(Text):
                if text.text == "":
                    yield "empty-content", part.at, ""


def thinks_as_before(groups: list[Group], _provider: str, _packed: bool) -> Iterator[Found]:
    asked = [
        n
        for n, group in enumerate(groups)
        if group.role != "assistant" and [b for _, b in group.of(object) if not isinstance(b, ToolResult)]
    ]
    start = asked[-1] if asked else 0
    for group in groups[start:]:
        if group.role == "assistant":
            for part in group.parts:
                now = [block for block in part.blocks if isinstance(block, Think)]
                once = [block for block in part.own if isinstance(block, Think)]
                if now != once or [block for block in now if block.sig is None and block.text]:
                    yield "thinking-kept", part.at, ""


def reasons_lead_somewhere(groups: list[Group], _provider: str, packed: bool) -> Iterator[Found]:
    for n, group in enumerate(groups):
        if group.role != "assistant" or packed:
            continue
        for part in group.parts:
            now = [block for block in part.blocks if isinstance(block, Think)]
            once = [block for block in part.own if isinstance(block, Think)]
            if len(now) != len(once):
                yield "reasoning-followed", part.at, ""
        blocks = group.of(object)
        if n < len(groups) - 1 and blocks and isinstance(blocks[-1][1], Think):
            yield "reasoning-followed", blocks[-1][0].at, ""


def counts_agree(groups: list[Group], _provider: str, _packed: bool) -> Iterator[Found]:
    for n, group in enumerate(groups):
        if n and group.of(ToolResult) and not groups[n - 1].of(ToolCall):
            for part, result in group.of(ToolResult):
                yield "result-without-call", part.at, result.id
        calls = group.of(ToolCall)
        if calls and n + 1 < len(groups):
            needed = [call for part, call in calls if call.id not in part.spared]
            given = len(groups[n + 1].of(ToolResult))
            if given < len(needed) or given > len(calls):
                yield "part-counts", group.at, calls[0][1].id
    if groups and not groups[0].of(ToolCall):
        for part, result in groups[0].of(ToolResult):
            yield "result-without-call", part.at, result.id


def takes_turns(groups: list[Group], _provider: str, _packed: bool) -> Iterator[Found]:
    spoken = [g for g in groups if g.role == "user" or (g.role == "assistant" and not g.of(ToolCall))]
    for one, two in pairwise(spoken):
        if one.role == two.role:
            yield "alternation", two.at, ""


BY_PROVIDER: dict[str, list[Callable[[list[Group], str, bool], Iterator[Found]]]] = {
    "anthropic": [
        adjacent_pairs, results_in_front, one_result_each, ids_differ, says_something, thinks_as_before,
    ],
    "openai-chat": [adjacent_pairs, one_result_each, says_something],
    "openai-chat-strict": [adjacent_pairs, one_result_each, says_something, opens_well, takes_turns],
    "openai-responses": [pairs_anywhere, ids_differ, reasons_lead_somewhere],
    "gemini": [counts_agree, opens_well, says_something],
}  # fmt: skip
