"""Sessions of Copilot CLI. Expected values follow `spec/2`, the notes' section 8, and Copilot's event schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from tests.formats.real import HERE, api_calls, loaded
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Text, Think, ToolCall, ToolResult, texts_of
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError, UsageError
from windowkeeper_cli.model.transcript import Transcript

LONG, SHORT = "copilot-cli/copilot-1.0.64-54calls.jsonl", "copilot-cli/copilot-1call.jsonl"


class Events:
    """Events of a session, each a second after the one before it; `beside` are keys beside the data."""

    def __init__(self) -> None:
        self.lines: list[Any] = []
        self.add("session.start", sessionId="s-1", copilotVersion="1.2.3", context={"cwd": "/w"})

    def add(self, named: str, /, beside: Any = None, **data: Any) -> str:
        number = len(self.lines)
        time = f"2026-01-02T03:04:{number:02}.000Z"
        line = {"type": named, "data": data, "id": f"e{number}", "timestamp": time, "parentId": f"e{number - 1}"}
        self.lines.append(line | (beside or {}))
        return f"e{number}"

    def asks(self, text: str = "go", **more: Any) -> str:
        return self.add("user.message", content=text, **more)

    def replies(self, *idents: str, text: str = "", **more: Any) -> str:
        asked = [{"toolCallId": ident, "name": "view", "arguments": {"path": f"{ident}.py"}} for ident in idents]
        head = {"messageId": f"m{len(self.lines)}", "model": "m-1", "content": text, "outputTokens": 9}
        return self.add("assistant.message", toolRequests=asked, **(head | more))

    def ends(self, ident: str, text: Any = "out", **more: Any) -> str:
        result = {"content": text, "detailedContent": "long"}
        return self.add("tool.execution_complete", toolCallId=ident, **({"success": True, "result": result} | more))

    def load(self, **options: Any) -> Transcript:
        return loads("\n".join(map(json.dumps, self.lines)).encode() + b"\n", "events.jsonl", **options)


def test_a_session_becomes_items_calls_and_facts() -> None:
    made = Events()
    made.add("system.message", role="system", content="You are x.")
    made.add("hook.start", hookType="h", input={"prompt": "read a"})
    made.asks("read a", transformedContent="<now>1</now>\nread a")
    made.add("assistant.turn_start", turnId="0")
    made.replies("c1", "c2", text="look", reasoningText="hm", reasoningOpaque="S", apiCallId="api-1")
    made.add("tool.execution_start", toolCallId="c1", toolName="view", arguments={})
    made.ends("c2", "text of c2")
    made.ends("c1", None, success=False, result=None, error={"message": "no such file", "code": "failure"})
    made.add("system.notification", content="A shell ended.", kind={"type": "shell_completed"})
    made.add("assistant.turn_end", turnId="0")
    made.replies(text="done")
    found = made.load()
    assert (found.format, found.session, found.log.version, found.log.cwd) == ("copilot-cli", "s-1", "1.2.3", "/w")
    assert roles(found) == "suattua" and found.envelope == 1 and not found.findings and found.models == ("m-1",)
    assert texts_of(found.blocks(1)) == ("<now>1</now>\nread a",)
    call = ToolCall("c1", "view", '{"path":"c1.py"}')
    assert found.blocks(2) == (Think("hm", "S"), Text("look"), call, ToolCall("c2", "view", '{"path":"c2.py"}'))
    assert found.blocks(3) == (ToolResult("c2", "view", False, (Text("text of c2"),)),)
    assert found.blocks(4) == (ToolResult("c1", "view", True, (Text("no such file"),)),) and found.items[4].is_error
    assert [item.request for item in found.items if item.role == "user"] == [True, False]
    assert found.calls[0].message_id == "api-1" and found.calls[0].time == "2026-01-02T03:04:05.000Z"
    # A reply tells its output alone, and a prompt that nobody reports is no prompt of 0 tokens.
    assert [call.usage for call in found.calls] == [None, None] and found.log.unmeasured == 2


def test_the_end_of_a_session_with_one_call_tells_its_prompt() -> None:
    usage = {"inputTokens": 100, "outputTokens": 9, "cacheReadTokens": 60, "cacheWriteTokens": 30}
    made = Events()
    made.asks()
    made.replies(text="1")
    made.add("session.shutdown", modelMetrics={"m-1": {"requests": {"count": 1}, "usage": usage}})
    assert made.load().calls[0].usage == Usage(10, 9, 60, 30)
    made.lines.pop()
    made.replies(text="2")
    made.add("session.shutdown", modelMetrics={"m-1": {"requests": {"count": 2}, "usage": usage}})
    found = made.load()
    assert [call.usage for call in found.calls] == [None, None] and found.log.main_usage == Usage(10, 9, 60, 30)
    assert "2 requests of 100 prompt and 9 output tokens together" in found.format_why


def test_usage_events_belong_to_the_reply_with_their_id_or_the_last() -> None:
    def usage(prompt: int, **more: Any) -> dict[str, Any]:
        return {"inputTokens": prompt, "outputTokens": 1, **more}

    made = Events()
    made.asks()
    made.add("assistant.usage", **usage(10, apiCallId="a1"))
    made.replies(text="1", apiCallId="a1")
    made.replies(text="2", apiCallId="a2")
    made.replies(text="3", apiCallId="a3")
    made.add("assistant.usage", **usage(20, apiCallId="a2"))
    made.add("assistant.usage", **usage(30, cacheReadTokens=30))
    assert [call.usage for call in made.load().calls] == [Usage(10, 1), Usage(20, 1), Usage(0, 1, 30)]


def test_parts_of_one_reply_are_one_call() -> None:
    made = Events()
    made.asks()
    made.replies("c1", text="look", apiCallId="a1")
    made.ends("c1")
    made.replies("c2", apiCallId="a1")
    made.ends("c2")
    found = made.load()
    assert roles(found) == "uatt" and len(found.calls) == 1 and not found.findings
    assert [origin.line for origin in found.items[1].origins] == [3, 5]


def test_who_is_a_person() -> None:
    made = Events()
    made.asks("a")
    made.asks("b", source="user")
    made.asks("c", source="skill-pdf")
    made.asks("d", source="system")
    assert [item.request for item in made.load().items] == [True, True, False, False]


def test_the_system_text_comes_once_and_another_one_is_named() -> None:
    made = Events()
    for words in ("S", "S", "T"):
        made.add("system.message", role="system", content=words)
        made.asks()
    found = made.load()
    assert roles(found) == "suuu" and "1 other system text than the first" in found.format_why


def test_a_compaction_keeps_what_came_while_it_ran() -> None:
    made = Events()
    made.asks("one")
    made.replies("c1")
    made.add("session.compaction_start")
    made.ends("c1")
    made.replies(text="2")
    more = {"preCompactionTokens": 900, "trigger": "threshold"}
    made.add("session.compaction_complete", success=True, summaryContent="So far.", **more)
    made.replies(text="3")
    found = made.load()
    (event,) = found.events
    # The result of a call that left does not stay alone.
    assert (event.at, event.call, event.kept, event.trigger, event.pre_tokens) == (4, 3, (3,), "threshold", 900)
    assert event.summary == (Text("So far."),) and event.where == "events.jsonl:7"


def test_a_compaction_that_failed_took_nothing_and_a_truncation_is_told() -> None:
    made = Events()
    made.asks()
    made.add("session.compaction_start")
    made.add("session.compaction_complete", success=False, error="x")
    made.add("session.truncation", messagesRemovedDuringTruncation=4, performedBy="BasicTruncator")
    made.replies(text="1")
    found = made.load()
    assert not found.events and not found.findings
    assert "line 5: a truncation took 4 messages, which the log does not name" in found.format_why


def test_a_rewind_takes_back_what_stands_from_its_event_on() -> None:
    made = Events()
    made.asks("one")
    made.replies(text="1")
    back = made.asks("two")
    made.replies(text="2")
    made.add("session.snapshot_rewind", upToEventId=back, eventsRemoved=2)
    made.asks("three")
    found = made.load()
    assert roles(found) == "uau" and kinds(found) == [("abandoned-branch", "4")]
    assert "2 messages (1 call)" in found.findings[0].text and (found.log.branches, found.log.main_calls) == (1, 2)


def test_a_cleared_context_begins_another_part() -> None:
    made = Events()
    made.asks("one")
    made.add("session.context_cleared", messagesCleared=1)
    made.asks("two")
    made.replies(text="2")
    assert roles(made.load()) == "ua" and made.load().log.parts == 2 and roles(made.load(part=1)) == "u"
    with pytest.raises(UsageError, match="--part 3: the log has 2 parts; give 1 to 2"):
        made.load(part=3)


def test_a_subagent_is_a_transcript_of_its_own() -> None:
    made = Events()
    made.asks()
    made.replies("t1")
    made.asks("look around", source="agent", beside={"agentId": "agent-7"})
    made.add("assistant.message", messageId="x", content="found", toolRequests=[], parentToolCallId="agent-7")
    made.ends("t1", "found")
    made.replies(text="done")
    found = made.load()
    assert roles(found) == "uata" and [(agent.id, agent.calls) for agent in found.agents] == [("agent-7", 1)]
    assert (found.log.main_calls, found.log.side_calls) == (2, 1)
    side = made.load(agent="agent")
    assert roles(side) == "ua" and side.agent == "agent-7" and side.items[0].request
    with pytest.raises(UsageError, match="no agent 'z'; agents: agent-7"):
        made.load(agent="z")
    made.lines = [line for line in made.lines if "agentId" in line]
    assert made.load().agent == "agent-7"


def test_hard_lines_are_named_and_the_rest_loads() -> None:
    made = Events()
    made.asks()
    made.replies("c1", "c1")
    made.ends("c1")
    made.ends("c1")
    made.ends("c1")
    made.ends("nobody", {"odd": 1})
    made.add("session.dreamt")
    made.lines.append({"type": "user.message", "data": None})
    made.lines.append({"type": "user.message"})
    made.add("user.message", content=None)
    made.add("assistant.message", content=None, toolRequests=None)
    lines = [*map(json.dumps, made.lines), "[]", '{"type":"user.mess']
    found = loads("\n".join(lines).encode(), "events.jsonl")
    assert roles(found) == "uattttua"
    assert sorted(kinds(found)) == [
        ("duplicate-tool-call-id", "3"), ("duplicate-tool-result", "6"), ("orphan-tool-result", "7"),
        ("truncated-json", "14"), ("unknown-record", "13"), ("unknown-record", "8"), ("unknown-record", "9"),
    ]  # fmt: skip
    assert found.log.still_written


def test_a_list_of_the_events_is_the_same_session() -> None:
    made = Events()
    made.asks()
    made.replies("c1")
    made.replies(text="on")
    listed = document(made.lines)
    assert [item.id for item in listed.items] == [item.id for item in made.load().items]
    assert kinds(listed) == [("unanswered-tool-call", "[2]")]


def test_events_without_a_message_are_an_error() -> None:
    with pytest.raises(InputError, match="no message in it; read as copilot-cli"):
        Events().load()


@pytest.mark.skipif(not HERE, reason="the shared sessions are not here")
@pytest.mark.parametrize(("name", "prompt"), [(LONG, None), (SHORT, 15_517)])
def test_a_real_session(name: str, prompt: int | None) -> None:
    found = loaded(name)
    assert len(found.calls) == api_calls(name) and not found.findings and found.envelope == 1
    assert [call.usage.prompt if call.usage else None for call in found.calls] == [prompt] * len(found.calls)
