"""Each acceptance rule by hand: a request that the published error is about, and its nearest one that passes."""

from __future__ import annotations

import pytest

from windowkeeper_cli.model.block import Block, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.replay.acceptance import ACCEPTANCE
from windowkeeper_cli.replay.acceptance.lint import Lint, faults_of
from windowkeeper_cli.replay.acceptance.providers import PROVIDERS, provider_named
from windowkeeper_cli.replay.acceptance.request import Sent

ANTHROPIC, CHAT, STRICT, RESPONSES, GEMINI = PROVIDERS


def user(*blocks: Block) -> tuple[str, tuple[Block, ...]]:
    return "user", blocks or (Text("Go on."),)


def model(*blocks: Block) -> tuple[str, tuple[Block, ...]]:
    return "assistant", blocks or (Text("Done."),)


def call(*idents: str) -> tuple[str, tuple[Block, ...]]:
    return "assistant", tuple(ToolCall(ident, "look", "{}") for ident in idents)


def gives(ident: str) -> tuple[str, tuple[Block, ...]]:
    return "tool", (ToolResult(ident, "look", False, (Text("seen"),)),)


def thinks(sig: str | None, *blocks: Block) -> tuple[str, tuple[Block, ...]]:
    return "assistant", (Think("Hm.", sig), *blocks)


SYSTEM = ("system", (Text("You look."),))
A, B = ToolCall("a", "look", "{}"), ToolCall("b", "look", "{}")
Case = tuple[str, str, list[tuple[str, tuple[Block, ...]]], list[tuple[str, int]]]
CASES: list[Case] = [
    ("a whole pair", ANTHROPIC, [user(), call("a"), gives("a"), model()], []),
    ("a call still waiting at the end", ANTHROPIC, [user(), call("a")], []),
    ("an orphan", ANTHROPIC, [user(), gives("a")], [("result-without-call", 1)]),
    ("the result one message late", ANTHROPIC, [user(), call("a"), gives("a"), model(), gives("a")],
     [("result-without-call", 4)]),
    ("no result", ANTHROPIC, [user(), call("a"), user()], [("call-without-result", 1)]),
    ("one of two results", ANTHROPIC, [user(), call("a", "b"), gives("b"), model()], [("call-without-result", 1)]),
    ("neighbours are joined", ANTHROPIC, [user(), user(), call("a"), call("b"), gives("a"), gives("b"), user()], []),
    ("text before the result", ANTHROPIC, [user(), call("a"), user(), gives("a")], [("results-first", 3)]),
    ("a result twice", ANTHROPIC, [user(), call("a"), gives("a"), gives("a")], [("duplicate-result", 3)]),
    ("an id twice", ANTHROPIC, [user(), call("a"), gives("a"), call("a"), gives("a")], [("duplicate-call-id", 3)]),
    ("a first reply", ANTHROPIC, [SYSTEM, model(), user()], []),
    ("an empty text", ANTHROPIC, [user(Text("Look."), Text(""))], [("empty-content", 0)]),
    ("an empty last reply", ANTHROPIC, [user(), ("assistant", ())], []),
    ("an empty reply before another message", ANTHROPIC, [user(), ("assistant", ()), user()], [("empty-content", 1)]),
    ("unsigned thinking in the tool loop", ANTHROPIC, [user(), thinks(None, A), gives("a")], [("thinking-kept", 1)]),
    ("unsigned thinking before the request", ANTHROPIC, [user(), thinks(None, A), gives("a"), user()], []),
    ("signed thinking", ANTHROPIC, [user(), thinks("s", A), gives("a")], []),
    ("chat: a pair", CHAT, [SYSTEM, user(), call("a", "b"), gives("b"), gives("a"), model()], []),
    ("chat: an orphan", CHAT, [user(), gives("a"), call("b"), gives("b")], [("result-without-call", 1)]),
    ("chat: a user between", CHAT, [user(), call("a"), user(), gives("a")],
     [("result-without-call", 3), ("call-without-result", 1)]),
    ("chat: a system text between", CHAT, [user(), call("a"), SYSTEM, gives("a")],
     [("result-without-call", 3), ("call-without-result", 1)]),
    ("chat: a result twice", CHAT, [user(), call("a"), gives("a"), gives("a")], [("duplicate-result", 3)]),
    ("chat: null content", CHAT, [user(), ("assistant", ()), user()], [("empty-content", 1)]),
    ("chat: an empty text", CHAT, [user(), model(Text("")), user()], []),
    ("chat: a first reply", CHAT, [model(), user()], []),
    ("chat: an id again in a later reply", CHAT, [user(), call("a"), gives("a"), call("a"), gives("a")], []),
    ("strict: turns", STRICT, [SYSTEM, user(), call("a"), gives("a"), model(), user()], []),
    ("strict: two requests", STRICT, [user(), user(), model()], [("alternation", 1)]),
    ("strict: a first reply", STRICT, [SYSTEM, model(), user()], [("first-message", 1)]),
    ("responses: paired anywhere", RESPONSES, [user(), call("a"), user(), gives("a")], []),
    ("responses: an orphan", RESPONSES, [gives("a"), user(), call("b"), gives("b")], [("result-without-call", 0)]),
    ("responses: no output", RESPONSES, [user(), call("a"), user()], [("call-without-result", 1)]),
    ("responses: dangling reasoning", RESPONSES, [user(), thinks(None), user()], [("reasoning-followed", 1)]),
    ("responses: followed reasoning", RESPONSES, [user(), thinks(None), call("a"), gives("a")], []),
    ("gemini: a pair", GEMINI, [user(), call("a", "b"), gives("a"), gives("b"), model()], []),
    ("gemini: too few", GEMINI, [user(), call("a", "b"), gives("a"), model()], [("part-counts", 1)]),
    ("gemini: too many", GEMINI, [user(), call("a"), gives("a"), gives("a"), model()], [("part-counts", 1)]),
    ("gemini: none", GEMINI, [user(), call("a"), user()], [("part-counts", 1)]),
    ("gemini: paired by number, not by id", GEMINI, [user(), call("a"), gives("other"), model()], []),
    ("gemini: a response after a text", GEMINI, [user(), model(), gives("a")], [("result-without-call", 2)]),
    ("gemini: a first call", GEMINI, [call("a"), gives("a"), user()], [("first-message", 0)]),
    ("gemini: no parts", GEMINI, [("user", ()), model()], [("empty-content", 0)]),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[1]}-{case[0]}")
def test_what_a_provider_refuses(case: Case) -> None:
    _, provider, messages, expected = case
    request = [Sent(at, role, blocks) for at, (role, blocks) in enumerate(messages)]
    found = faults_of(request, provider_named(provider))
    assert [(fault.rule, fault.at) for fault in found] == expected


def test_every_rule_refuses_and_passes_something() -> None:
    refused = {(rule, provider) for _, provider, _, found in CASES for rule, _ in found}
    asked = {(name, provider) for name in ACCEPTANCE.names for provider in ACCEPTANCE.module(name).SOURCES}
    told = {rule for rule, _ in refused}
    assert told == set(ACCEPTANCE.names)
    assert refused <= asked
    assert {provider for _, provider, _, found in CASES if not found} == set(PROVIDERS)


@pytest.mark.parametrize("name", ACCEPTANCE.names)
def test_every_rule_has_a_source_for_each_provider(name: str) -> None:
    module = ACCEPTANCE.module(name)
    assert set(module.SOURCES) <= set(PROVIDERS)
    assert module.TEXT.kind == ACCEPTANCE.kind and module.TEXT.name == name
    for provider, source in module.SOURCES.items():
        assert f"{provider}: {source}" in module.TEXT.source
        assert any(char.isdigit() for char in source) or "documentation" in source


def test_thinking_that_was_changed_is_refused_in_the_tool_loop_alone() -> None:
    own = (Think("Hm.", "s"), A)
    request = [Sent(0, "user", (Text("x"),)), Sent(1, "assistant", (A,), own), Sent(2, *gives("a"))]
    found = faults_of(request, provider_named(ANTHROPIC))
    assert [(fault.rule, fault.at) for fault in found] == [("thinking-kept", 1)]
    assert faults_of([*request, Sent(3, "user", (Text("y"),))], provider_named(ANTHROPIC)) == []
    found = faults_of(request, provider_named(RESPONSES))
    assert [(fault.rule, fault.at) for fault in found] == [("reasoning-followed", 1)]


def test_a_harness_packs_completes_and_leaves_out() -> None:
    request = [
        Sent(0, "user", (Text("x"),)),
        Sent(1, "assistant", (A, B), None, ("b",)),
        Sent(2, "user", (Text("wait"),)),
        Sent(3, *gives("a")),
        Sent(4, "assistant", ()),
        Sent(5, "user", (Text("y"),)),
    ]
    assert faults_of(request, provider_named(ANTHROPIC), packed=True) == []
    found = faults_of(request, provider_named(ANTHROPIC))
    assert [fault.rule for fault in found] == ["results-first", "empty-content"]


def test_asking_changes_nothing() -> None:
    lint = Lint(provider_named(ANTHROPIC))
    for at, (role, blocks) in enumerate([user(), call("a"), user(), call("a"), gives("a")]):
        lint.add(Sent(at, role, blocks))
        assert lint.faults() == lint.faults()
    assert [(fault.rule, fault.at) for fault in lint.faults()] == [("call-without-result", 1), ("duplicate-call-id", 3)]


def test_an_unknown_provider_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="known: anthropic, openai-chat"):
        provider_named("moon")
