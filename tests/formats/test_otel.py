"""Spans of agents. Expected values follow `spec/2`, the notes' section 8, and the conventions of OpenTelemetry's GenAI
group, OpenInference and OpenLLMetry; one test reads what the libraries themselves export (extra `formats`).
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from tests.formats.real import HERE, loaded
from tests.formats.wire_logs import windows
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult, texts_of
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError, UsageError
from windowkeeper_cli.model.transcript import Transcript

REAL = "otel-genai/otel-openinference-nested.json"
Json = dict[str, Any]
START = 1_700_000_000_000_000_000


def text(words: str) -> Json:
    return {"type": "text", "content": words}


def called(ident: str, **args: Any) -> Json:
    return {"type": "tool_call", "id": ident, "name": "read", "arguments": args}


def gave(ident: str, result: Any, key: str = "response") -> Json:
    return {"type": "tool_call_response", "id": ident, key: result}


def said(role: str, *parts: Any) -> Json:
    return {"role": role, "parts": list(parts)}


def span(ident: str, parent: str | None = None, at: int = 0, name: str = "s", **attributes: Any) -> Json:
    """Return a span in the shape of documents that keep OTLP's names with underscores; `__` in a key is a dot."""
    return {
        "trace_id": "t1",
        "span_id": ident,
        "parent_span_id": parent,
        "name": name,
        "start_time_unix_nano": str(START + at * 10**9),
        "attributes": {key.replace("__", "."): value for key, value in attributes.items()},
    }


def chat(ident: str, parent: str | None = None, at: int = 0, sent: Any = None, given: Any = None, **more: Any) -> Json:
    attributes: Json = {"gen_ai__operation__name": "chat", "gen_ai__request__model": "m", **more}
    if sent is not None:
        attributes["gen_ai__input__messages"] = sent
    if given is not None:
        attributes["gen_ai__output__messages"] = given
    return span(ident, parent, at, f"chat {ident}", **attributes)


def agent(ident: str, parent: str | None = None, at: int = 0, name: str = "main", **more: Any) -> Json:
    return span(ident, parent, at, gen_ai__operation__name="invoke_agent", gen_ai__agent__name=name, **more)


def tool(ident: str, parent: str | None = None, at: int = 0, **more: Any) -> Json:
    return span(ident, parent, at, gen_ai__operation__name="execute_tool", gen_ai__tool__name="read", **more)


TALK = [
    said("user", text("go")),
    said("assistant", {"type": "reasoning", "content": "hm"}, text("look"), called("c1", path="a")),
    said("tool", gave("c1", "one")),
    said("assistant", text("done")),
]
CHATS = [
    chat("x1", "a1", 1, json.dumps(TALK[:1]), json.dumps(TALK[1:2]), gen_ai__usage__input_tokens=100,
         gen_ai__usage__output_tokens=5, gen_ai__usage__cache_read__input_tokens=60, gen_ai__response__id="r1"),
    chat("x2", "a1", 3, json.dumps(TALK[:3]), json.dumps(TALK[3:])),
]  # fmt: skip


def read(*spans: Json, **options: Any) -> Transcript:
    return document({"spans": list(spans)}, **options)


def check(found: Transcript) -> None:
    """Assert what the conversation is, read off its messages."""
    assert (found.format, roles(found), len(found.calls)) == ("otel", "uata", 2) and not found.findings
    assert found.blocks(1) == (Think("hm", None), Text("look"), ToolCall("c1", "read", '{"path":"a"}'))
    assert found.blocks(2) == (ToolResult("c1", "read", False, (Text("one"),)),) and len(found.pairs) == 1
    assert [call.usage for call in found.calls] == [Usage(40, 5, 60), None]
    assert (found.calls[0].message_id, found.calls[0].model) == ("r1", "m")
    assert (found.calls[0].time, found.session) == ("2023-11-14T22:13:21.000Z", "t1")


def test_requests_become_items_and_calls() -> None:
    check(read(agent("a1"), *CHATS))
    # Spans are written when they end: the order of their starts counts, not that of the file.
    check(read(*reversed(CHATS), agent("a1")))
    check(document([agent("a1"), *CHATS]))
    check(loads("\n".join(map(json.dumps, [*CHATS, agent("a1")])).encode()))


def test_messages_that_are_parsed_already() -> None:
    spans = [chat("x1", None, 1, TALK[:1], TALK[1:2]), chat("x2", None, 2, TALK[:3], TALK[3:])]
    assert [item.id for item in read(*spans).items] == [item.id for item in read(*CHATS).items]


def typed(value: Any) -> Json:
    """Return a value as OTLP writes it in JSON."""
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": typed(inner)} for key, inner in value.items()]}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [typed(inner) for inner in value]}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def otlp(one: Json) -> Json:
    named = [{"key": key, "value": typed(value)} for key, value in one["attributes"].items()]
    return {
        "traceId": one["trace_id"], "spanId": one["span_id"], "parentSpanId": one["parent_span_id"] or "",
        "name": one["name"], "startTimeUnixNano": one["start_time_unix_nano"], "attributes": named,
    }  # fmt: skip


def test_otlp_json_as_the_collector_writes_it() -> None:
    def batch(*spans: Json) -> Json:
        return {
            "resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]
        }

    spans = [otlp(one) for one in (agent("a1"), *CHATS)]
    check(document(batch(*spans)))
    check(loads("\n".join(json.dumps(batch(one)) for one in spans).encode()))
    plain = [otlp(chat("x1", None, 1, TALK[:1], TALK[1:2])), otlp(chat("x2", None, 2, TALK[:3], TALK[3:]))]
    assert roles(document(batch(*plain))) == "uata"


def test_spans_as_exporters_print_them() -> None:
    def python(one: Json) -> Json:
        ids = {"trace_id": "t1", "span_id": one["span_id"], "trace_state": "[]"}
        time = f"2023-11-14T22:13:{20 + int(one['start_time_unix_nano'][9]):02}.000000Z"
        return {"name": one["name"], "context": ids, "parent_id": one["parent_span_id"], "start_time": time,
                "attributes": one["attributes"], "status": {"status_code": "UNSET"}}  # fmt: skip

    pretty = "\n".join(json.dumps(python(one), indent=4) for one in (*CHATS, agent("a1")))
    found = loads(pretty.encode())
    assert roles(found) == "uata" and found.calls[0].time == "2023-11-14T22:13:21.000000Z"
    script = [{"traceId": "t1", "id": one["span_id"], "parentId": one["parent_span_id"], "name": one["name"],
               "timestamp": int(one["start_time_unix_nano"]) // 1_000, "attributes": one["attributes"]}
              for one in (*CHATS, agent("a1"))]  # fmt: skip
    check(document(script))


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ({"openinference.span.kind": "LLM", "llm.model_name": "m"}, "llm.{}_messages.{}.message."),
        ({"llm.request.type": "chat", "gen_ai.request.model": "m"}, "gen_ai.{}.{}."),
    ],
)
def test_messages_under_dotted_keys(model: Json, family: str) -> None:
    names = ("input", "output") if "message" in family else ("prompt", "completion")
    calls = "tool_calls.0.tool_call.function." if "message" in family else "tool_calls.0."
    ids = "tool_calls.0.tool_call.id" if "message" in family else "tool_calls.0.id"

    def told(name: str, n: int, **values: Any) -> Json:
        return {family.format(name, n) + key: value for key, value in values.items()}

    def reply(name: str, n: int) -> Json:
        return told(name, n, role="assistant", content="look", **{
            ids: "c1", f"{calls}name": "read", f"{calls}arguments": '{"path":"a"}'
        })  # fmt: skip

    one = {**model, **told(names[0], 0, role="user", content="go"), **reply(names[1], 0)}
    two = {
        **model, **told(names[0], 0, role="user", content="go"), **reply(names[0], 1),
        **told(names[0], 2, role="tool", content="one", tool_call_id="c1"),
        **told(names[0], 10, role="user", content="on"), **told(names[1], 0, role="assistant", content="done"),
    }  # fmt: skip
    spans = [{**span("x1", at=1), "attributes": one}, {**span("x2", at=2), "attributes": two}]
    found = read(*spans)
    assert (found.format, roles(found)) == ("otel", "uatua") and not found.findings and found.models == ("m",)
    assert found.blocks(1) == (Text("look"), ToolCall("c1", "read", '{"path":"a"}'))
    assert found.blocks(2) == (ToolResult("c1", "read", False, (Text("one"),)),) and texts_of(found.blocks(3)) == (
        "on",
    )


def test_openinference_contents_in_parts_and_lists() -> None:
    contents = [
        {"message_content": {"type": "text", "text": "see"}},
        {"message_content": {"type": "image", "image": {"image": {"url": "https://example.com/a.png"}}}},
    ]
    listed = [{"message.role": "user", "message.contents": contents}]
    given = [{"message": {"role": "assistant", "content": "ok"}}]
    attributes: Json = {"openinference.span.kind": "LLM", "llm.input_messages": listed, "llm.output_messages": given}
    usage: Json = {
        "llm.token_count.prompt": 50,
        "llm.token_count.completion": 4,
        "llm.token_count.prompt_details.cache_read": 20,
    }
    found = read({**span("x1"), "attributes": attributes | usage})
    words, image = found.blocks(0)
    assert words == Text("see") and isinstance(image, Other) and image.kind == "image_url" and not found.findings
    assert found.calls[0].usage == Usage(30, 4, 20)


@pytest.mark.parametrize("in_attribute", [False, True])
def test_messages_in_events(in_attribute: bool) -> None:
    asked = [{"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}]
    told: list[tuple[str, Json]] = [
        ("gen_ai.system.message", {"content": "S"}), ("gen_ai.user.message", {"content": "go"}),
        ("gen_ai.assistant.message", {"tool_calls": asked}), ("gen_ai.tool.message", {"id": "c1", "content": "one"}),
        ("gen_ai.choice", {"index": 0, "message": {"role": "assistant", "content": "done"}}), ("other", {}),
    ]  # fmt: skip
    one = chat("x1")
    if in_attribute:
        one["attributes"]["events"] = json.dumps([{"event.name": name, **body} for name, body in told])
    else:
        one["events"] = [{"name": name, "attributes": body} for name, body in told]
    found = read(one)
    assert roles(found) == "suata" and len(found.pairs) == 1 and not found.findings


def test_details_of_an_inference_event_count_as_the_spans_own() -> None:
    one = chat("x1")
    more = {"gen_ai.input.messages": TALK[:1], "gen_ai.output.messages": TALK[3:]}
    one["events"] = [{"name": "gen_ai.client.inference.operation.details", "attributes": more}]
    assert roles(read(one)) == "ua"


def test_messages_in_a_providers_own_shape() -> None:
    sent = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": '[{"type":"tool_use","id":"c1","name":"read","input":{}}]'},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "one"}]},
        {"role": "assistant", "content": "look", "tool_calls": [{"id": "c2", "name": "read", "arguments": "{}"}]},
        {"role": "tool", "tool_call_id": "c2", "content": "two"},
    ]
    system = json.dumps([text("S")])
    found = read(chat("x1", sent=sent, given="done", gen_ai__system_instructions=system))
    assert roles(found) == "suatata" and len(found.pairs) == 2 and not found.findings
    assert texts_of(found.blocks(0)) == ("S",) and texts_of(found.blocks(6)) == ("done",)


def test_parts_of_every_kind() -> None:
    parts = [
        "plain", text("t"), {"type": "blob", "modality": "image", "content": "YQ=="}, {"type": "uri", "uri": "u"},
        {"type": "file", "file_id": "f"}, gave("c0", {"a": 1.5}, "result"), text("after"), {"type": "new"}, 7,
    ]  # fmt: skip
    found = read(chat("x1", sent=[said("user", *parts)], given=[said("assistant", text(""), called("c1"))]))
    assert roles(found) == "utua" and found.blocks(1)[0] == ToolResult("c0", None, False, (Text('{"a":1.5}'),))
    assert [type(block) for block in found.blocks(0)] == [Text, Text, Other, Other, Other]
    assert found.blocks(3) == (ToolCall("c1", "read", "{}"),)
    assert [kind for kind, _ in kinds(found)] == ["unknown-block", "unknown-block", "orphan-tool-result"]
    assert kinds(found)[2][1] == "spans[0].input[0].parts[5]"


def test_a_request_that_shrank_is_a_recorded_event() -> None:
    later = [TALK[0], *TALK[3:], said("user", text("on"))]
    found = read(*CHATS, chat("x3", None, 5, later, [said("assistant", text("end"))]))
    assert [(event.kind, event.call, event.left) for event in found.events] == [("window", 3, (1, 2))]
    assert [len(window) for window in windows(found)] == [1, 6, 3]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"input_tokens": 100, "output_tokens": 5, "cache_read.input_tokens": 60}, Usage(40, 5, 60)),
        ({"prompt_tokens": 100, "completion_tokens": 5}, Usage(100, 5)),
        ({"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 60}, Usage(10, 5, 60)),
        ({"input_tokens": 100, "output_tokens": 5, "cache_read.input_tokens": 60,
          "cache_creation.input_tokens": 7, "total_tokens": 172}, Usage(100, 5, 60, 7)),
        ({"input_tokens": 0, "output_tokens": 0}, None),
        ({"input_tokens": "many"}, None),
    ],
)  # fmt: skip
def test_usage_tells_the_cached_part_apart(told: Json, expected: Usage | None) -> None:
    usage = {f"gen_ai.usage.{key}": value for key, value in told.items()}
    found = read(chat("x1", sent=TALK[:1], given=TALK[3:], **usage))
    assert found.calls[0].usage == expected


def nested(told: bool = True) -> list[Json]:
    sent = {"sent": [said("user", text("help"))]} if told else {}
    return [
        agent("a1"), *CHATS, tool("t1", "x1", 2, gen_ai__tool__call__id="c1"), agent("a2", "t1", 2, "helper"),
        chat("y1", "a2", 2, given=[said("assistant", text("sure"))], gen_ai__usage__input_tokens=9, **sent),
    ]  # fmt: skip


@pytest.mark.parametrize("told", [True, False])
def test_an_agent_that_an_agent_called_is_a_subagent(told: bool) -> None:
    found = read(*nested(told))
    assert roles(found) == "uata" and [(one.id, one.calls) for one in found.agents] == [("helper", 1)]
    assert found.log.side_usage == Usage(9, 0) and found.log.side_calls == 1
    side = read(*nested(told), agent="help")
    assert (side.agent, roles(side)) == ("helper", "ua" if told else "a")
    with pytest.raises(UsageError, match="no agent 'x'; agents: helper"):
        read(*nested(told), agent="x")


def test_two_agents_of_one_name_are_told_apart() -> None:
    more = [agent("a3", "t1", 4, "helper"), chat("z1", "a3", 4, given="two")]
    assert [one.id for one in read(*nested(), *more).agents] == ["helper", "helper-2"]


def test_an_agent_that_only_calls_agents_gives_them_its_place() -> None:
    found = read(agent("a0", name="flow"), {**agent("a1"), "parent_span_id": "a0"}, *CHATS)
    assert roles(found) == "uata" and not found.agents


def test_a_call_that_framework_and_client_both_tell_counts_once() -> None:
    inner = chat("i1", "x1", 1, TALK[:1], TALK[1:2])
    assert len(read(agent("a1"), *CHATS, inner).calls) == 2
    silent = chat("o1", "a1", 1)
    assert len(read(agent("a1"), silent, {**CHATS[0], "parent_span_id": "o1"}, CHATS[1]).calls) == 2


def test_a_conversation_beside_the_main_one_has_a_name() -> None:
    title = chat("n1", None, 9, [said("user", text("Title?"))], [said("assistant", text("T"))])
    found = read(*CHATS, title)
    assert roles(found) == "uata" and [one.id for one in found.agents] == ["request-3"]
    assert roles(read(*CHATS, title, agent="request-3")) == "ua"


def test_calls_that_do_not_tell_what_they_were_sent_with() -> None:
    spans = [
        agent("a1", gen_ai__system_instructions=[text("S")], gen_ai__input__messages=[said("user", text("go"))]),
        chat("x1", "a1", 1, given="look"),
        tool("t1", "x1", 2, gen_ai__tool__call__id="c1", gen_ai__tool__call__arguments={"path": "a"},
             gen_ai__tool__call__result={"n": 1}),
        chat("x2", "a1", 3, given=[said("assistant", called("c2", path="b"))]),
        {**tool("t2", "a1", 4, gen_ai__tool__call__id="c2"), "status": {"code": 2, "message": "no such file"}},
        {**tool("t3", "a1", 4, input__value="x", output__value="y"), "status": {"code": "OK"}},
        chat("x3", "a1", 5),
    ]  # fmt: skip
    found = read(*spans)
    assert (
        roles(found) == "suatatta"
        and not found.findings
        and "3 calls without what they were sent with" in found.format_why
    )
    assert found.blocks(2) == (Text("look"), ToolCall("c1", "read", '{"path":"a"}'))
    assert found.blocks(3) == (ToolResult("c1", "read", False, (Text('{"n":1}'),)),)
    assert found.blocks(5) == (ToolResult("c2", "read", True, (Text("no such file"),)),)
    assert found.blocks(6) == (ToolResult("t3", "read", False, (Text("y"),)),) and found.blocks(7) == ()
    asked = read({**agent("a1", input__value="go"), "name": "n"}, chat("x1", "a1", 1, given="b"))
    assert roles(asked) == "ua" and asked.items[0].request


def test_hard_spans_are_named_and_the_rest_loads() -> None:
    circle = [span("p", "q"), span("q", "p")]
    odd = chat("x9", "p", 8, [None, 7, {"role": "oracle"}, {"role": "user"}], '[{"role":"assistant","parts":')
    hard = [*circle, odd, {**chat("b1", None, 9, TALK[:1]), "status": {"code": "ERROR"}}, *CHATS, CHATS[0]]
    lines = [
        *map(json.dumps, hard),
        "null",
        '{"hello": 1}',
        '{"name": "x", "attributes": {}}',
        json.dumps(CHATS[1])[:50],
    ]
    found = loads("\n".join(lines).encode(), "trace.jsonl")
    assert "1 failed" in found.format_why and len(found.calls) == 2
    assert [kind for kind, _ in kinds(found)] == ["truncated-json", "unknown-record", "unknown-record"]


@pytest.mark.parametrize(
    "value", [{"spans": [tool("t1")]}, {"resourceSpans": []}, {"spans": [span("s")]}, [agent("a1")]]
)
def test_nothing_to_read_is_an_error(value: Any) -> None:
    with pytest.raises(InputError, match=r"no message in it; read as otel|no known transcript format"):
        document(value)


def test_a_cut_document_is_damage() -> None:
    whole = json.dumps({"spans": CHATS}, indent=1).encode()
    with pytest.raises(InputError, match=r"h:[0-9]+:[0-9]+: the JSON is damaged"):
        loads(whole[: len(whole) // 2], "h")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", [2, 4])
def test_what_the_installed_libraries_export(version: int) -> None:
    reason = "the libraries are not installed (extra `formats`)"
    trace = pytest.importorskip("opentelemetry.sdk.trace", reason=reason)
    capabilities = pytest.importorskip("pydantic_ai.capabilities", reason=reason)
    own, agents = import_module("pydantic_ai.messages"), import_module("pydantic_ai")
    exporting = import_module("opentelemetry.sdk.trace.export")
    kept = import_module("opentelemetry.sdk.trace.export.in_memory_span_exporter").InMemorySpanExporter()
    provider = trace.TracerProvider()
    provider.add_span_processor(exporting.SimpleSpanProcessor(kept))
    spent = import_module("pydantic_ai.usage").RequestUsage(input_tokens=100, cache_read_tokens=60, output_tokens=5)
    replies = [
        own.ModelResponse(
            [own.ThinkingPart("hm"), own.TextPart("look"), own.ToolCallPart("ask", {"what": "x"}, "c1")], usage=spent
        ),
        own.ModelResponse([own.TextPart("sure")]),
        own.ModelResponse([own.TextPart("done")]),
    ]
    model = import_module("pydantic_ai.models.function").FunctionModel(lambda _messages, _info: replies.pop(0))
    told = capabilities.Instrumentation(agents.InstrumentationSettings(tracer_provider=provider, version=version))
    helper = agents.Agent(model, capabilities=[told], name="helper")
    main = agents.Agent(model, capabilities=[told], name="main", system_prompt="S")

    async def ask(what: str) -> str:
        return str((await helper.run(what)).output)

    main.tool_plain(ask)
    main.run_sync("go")
    data = "\n".join(one.to_json() for one in kept.get_finished_spans()).encode()
    found, side = loads(data), loads(data, agent="helper")
    assert (found.format, roles(found), roles(side)) == ("otel", "suata", "ua") and not found.findings
    assert found.blocks(2) == (Think("hm", None), Text("look"), ToolCall("c1", "ask", '{"what":"x"}'))
    assert texts_of(found.blocks(3)) == ("sure",) and found.calls[0].usage == Usage(40, 5, 60)


@pytest.mark.skipif(not HERE, reason="the shared sessions are not here")
class TestReal:
    """The fixture of a nested run. Its two calls report no tokens, which is what the manifest counts by."""

    def test_a_nested_run(self) -> None:
        found = loaded(REAL)
        assert roles(found) == "at" and len(found.calls) == 1 and len(found.pairs) == 1 and not found.findings
        assert found.blocks(0)[0] == Text("Delegating to a subagent.") and found.models == ("gpt-5",)
        assert [(one.id, one.calls) for one in found.agents] == [("config-inspector", 1)]
        assert '"summary":"Subagent inspected config"' in texts_of(found.blocks(1))[0]
