"""Events of managed agents. Expected values follow `spec/2`, the notes' section 8 and the API's event reference."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from tests.formats.real import FOLDER, HERE, api_calls, compared, loaded, median_off
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult, texts_of
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError, UsageError
from windowkeeper_cli.model.transcript import Transcript

REAL = "managed-agents/managed-agent-events.jsonl"
Json = dict[str, Any]


def said(words: str) -> list[Json]:
    return [{"type": "text", "text": words}]


class Events:
    """Events of a session, each a second after the one before it."""

    def __init__(self) -> None:
        self.lines: list[Any] = []
        self.add("session.status_running")

    def add(self, kind: str, /, **more: Any) -> str:
        number = len(self.lines)
        time = f"2026-08-16T18:21:{number:02}.000000Z"
        self.lines.append({"type": kind, "id": f"e{number}", "processed_at": time} | more)
        return f"e{number}"

    def asks(self, words: str = "go", **more: Any) -> str:
        return self.add("user.message", content=said(words), **more)

    def starts(self, **more: Any) -> str:
        return self.add("span.model_request_start", **more)

    def ends(self, start: str, prompt: int = 0, error: bool = False, **more: Any) -> str:
        usage = {
            "input_tokens": 2,
            "output_tokens": 5,
            "cache_read_input_tokens": prompt,
            "cache_creation_input_tokens": 7,
        }
        told = usage if prompt else {**usage, "input_tokens": 0, "output_tokens": 0, "cache_creation_input_tokens": 0}
        return self.add(
            "span.model_request_end", model_request_start_id=start, model_usage=told, is_error=error, **more
        )

    def calls(self, name: str = "read", **args: Any) -> str:
        return self.add("agent.tool_use", name=name, input=args, evaluated_permission="allow")

    def answers(self, call: str, words: Any = "out", **more: Any) -> str:
        content = said(words) if isinstance(words, str) else words
        return self.add("agent.tool_result", tool_use_id=call, content=content, **({"is_error": False} | more))

    def encoded(self) -> bytes:
        return "\n".join(map(json.dumps, self.lines)).encode() + b"\n"

    def load(self, **options: Any) -> Transcript:
        return loads(self.encoded(), "events.jsonl", **options)


def wrapped(lines: list[Any]) -> list[Any]:
    """Return events as they are kept one a line with their role and kind in front."""
    return [{"role": "x", "kind": line["type"].partition(".")[2], "raw": line, "time": "t"} for line in lines]


def session() -> Events:
    made = Events()
    made.asks()
    start = made.starts()
    made.add("agent.thinking")
    made.add("agent.message", content=said("look"))
    first, second = made.calls(path="a.py"), made.calls("bash", command="ls")
    made.ends(start, 100)
    made.answers(second, "two")
    made.answers(first, [*said("one"), {"type": "search_result", "title": "t"}], is_error=True)
    start = made.starts()
    made.add("agent.message", content=said("done"))
    made.ends(start, 200)
    made.add("session.status_idle", stop_reason={"type": "end_turn"})
    return made


def test_what_a_request_gave_is_one_reply() -> None:
    found = session().load()
    assert (found.format, roles(found), len(found.calls)) == ("managed-agents", "uatta", 2) and not found.findings
    assert [type(block) for block in found.blocks(1)] == [Think, Text, ToolCall, ToolCall]
    assert found.blocks(1)[0] == Think("", None) and found.blocks(1)[2] == ToolCall("e5", "read", '{"path":"a.py"}')
    assert found.blocks(2) == (ToolResult("e6", "bash", False, (Text("two"),)),)
    result = found.blocks(3)[0]
    assert isinstance(result, ToolResult) and result.error and isinstance(result.content[1], Other)
    assert found.items[3].resource == "a.py" and len(found.pairs) == 2
    assert [call.usage for call in found.calls] == [Usage(2, 5, 100, 7), Usage(2, 5, 200, 7)]
    # A reply is as old as its request, which its id names.
    assert (found.calls[0].time, found.calls[0].message_id) == ("2026-08-16T18:21:02.000000Z", "e2")
    assert len(found.items[1].origins) == 4


def test_wrapped_events_lists_and_pages_are_the_same_session() -> None:
    lines = session().lines
    ids = [item.id for item in session().load().items]
    packed = "\n".join(map(json.dumps, wrapped(lines))).encode()
    assert [item.id for item in loads(packed).items] == ids
    for value in (lines, wrapped(lines), {"data": lines, "has_more": False}):
        found = document(value)
        assert found.format == "managed-agents" and [item.id for item in found.items] == ids


def test_an_outcome_is_the_request_and_its_verdict_the_harnesss() -> None:
    made = Events()
    made.add("user.define_outcome", description="Audit it.", rubric={"type": "text", "content": "# Done when"})
    made.ends(made.starts(), 10)
    made.add("span.outcome_evaluation_start", iteration=0)
    made.add("span.outcome_evaluation_ongoing", iteration=0)
    made.add("span.outcome_evaluation_end", result="needs_revision", explanation="One is missing.")
    made.ends(made.starts(), 20)
    made.add("span.outcome_evaluation_end", result="satisfied", explanation=None)
    made.add("user.define_outcome", description="More.", rubric={"type": "file", "file_id": "f"})
    found = made.load()
    assert roles(found) == "uauau" and texts_of(found.blocks(0)) == ("Audit it.", "# Done when")
    asked = [(item.request, item.authored_by) for item in found.items if item.role == "user"]
    assert asked == [(True, "person"), (False, "harness"), (True, "person")]
    assert texts_of(found.blocks(2)) == ("One is missing.",) and isinstance(found.blocks(4)[1], Other)
    assert "2 outcome evaluations by calls that the log does not hold" in found.format_why and not found.findings


def test_other_kinds_of_calls_and_results() -> None:
    made = Events()
    made.add("system.message", content=said("S"))
    made.asks()
    mcp = made.add("agent.mcp_tool_use", name="find", mcp_server_name="s", input={"q": 1})
    own = made.add("agent.custom_tool_use", name="buy", input={})
    made.add("user.tool_confirmation", tool_use_id=mcp, result="allow")
    made.add("agent.mcp_tool_result", mcp_tool_use_id=mcp, content=said("m"))
    made.add("user.custom_tool_result", custom_tool_use_id=own, content=said("c"), is_error=True)
    made.add("agent.message", content=said("done"))
    made.add("user.interrupt")
    found = made.load()
    # Without spans a reply ends where something else comes.
    assert roles(found) == "suatta" and len(found.pairs) == 2 and [call.usage for call in found.calls] == [None] * 2
    assert found.items[4].is_error and not found.findings


def test_a_result_that_comes_while_the_reply_is_given_stands_behind_it() -> None:
    made = Events()
    made.asks()
    start = made.starts()
    first = made.calls(path="a")
    made.answers(first)
    made.calls(path="b")
    made.ends(start, 9)
    found = made.load()
    assert roles(found) == "uat" and len(found.items[1].calls) == 2 and len(found.pairs) == 1


def test_a_compaction_is_a_recorded_event() -> None:
    made = session()
    made.add("agent.thread_context_compacted")
    made.asks("more")
    start = made.starts()
    made.add("agent.message", content=said("ok"))
    made.ends(start, 30)
    found = made.load()
    assert [(event.kind, event.at, event.call, event.trigger) for event in found.events] == [
        ("compaction", 5, 3, "server")
    ]
    assert found.events[0].where == "events.jsonl:15"


def test_a_failed_request_is_no_call_and_an_empty_one_is() -> None:
    made = Events()
    made.asks()
    made.ends(made.starts(), error=True)
    made.ends(made.starts(), 9)
    start = made.starts()
    made.add("agent.message", content=said("cut"))
    made.ends(start, error=True)
    found = made.load()
    assert roles(found) == "uaa" and found.blocks(1) == () and "1 request failed" in found.format_why
    assert [call.usage for call in found.calls] == [Usage(2, 5, 9, 7), None]


def test_a_thread_of_its_own_is_a_subagent() -> None:
    made = session()
    made.add("session.thread_created", session_thread_id="t1", agent_name="helper")
    made.add("agent.thread_message_received", content=said("help"), session_thread_id="t1")
    start = made.starts(session_thread_id="t1")
    made.add("agent.message", content=said("sure"), session_thread_id="t1")
    made.ends(start, 50, session_thread_id="t1")
    found = made.load()
    assert roles(found) == "uatta" and [(agent.id, agent.calls) for agent in found.agents] == [("t1", 1)]
    assert found.log.side_usage == Usage(2, 5, 50, 7)
    side = made.load(agent="t")
    assert (side.agent, roles(side)) == ("t1", "ua") and not side.items[0].request
    with pytest.raises(UsageError, match="no thread 'x'; threads beside the session's own: t1"):
        made.load(agent="x")
    alone = Events()
    alone.lines = [line for line in made.lines if line.get("session_thread_id") == "t1"]
    assert roles(alone.load()) == "ua"


def test_hard_events_are_named_and_the_rest_loads() -> None:
    made = Events()
    made.asks()
    first = made.calls(path="a")
    made.answers(first)
    made.answers(first, "again")
    made.lines.append(made.lines[-1])
    made.answers("nobody")
    made.add("agent.new_thing")
    made.lines += [7, None, {"type": "agent.message"}]
    second = made.calls()
    made.add("user.message", content=None)
    made.add("agent.message", content=["a", {"type": "new"}])
    made.add("agent.tool_use", id=None, name=3, input="text")
    found = made.load()
    assert roles(found) == "uatttaua" and found.blocks(6) == ()
    assert [(kind, where.rpartition(":")[2]) for kind, where in kinds(found) if "unknown" not in kind] == [
        ("duplicate-tool-result", "5"), ("orphan-tool-result", "7"), ("unanswered-tool-call", "12"),
    ]  # fmt: skip
    assert second == "e11" and {name.name for name in found.log.unknown_records} == {
        "agent.new_thing", "number", "null", "agent.message",
    }  # fmt: skip
    assert [kind for kind, _ in kinds(found)].count("unknown-block") == 1


def test_a_cut_last_line_is_named() -> None:
    whole = session().encoded()
    found = loads(whole[:-30], "events.jsonl")
    assert roles(found) == "uatta" and kinds(found) == [("truncated-json", "14")] and found.log.still_written


@pytest.mark.parametrize("value", [[{"type": "session.status_idle", "processed_at": "t"}], {"raw": {}, "kind": "x"}])
def test_nothing_to_read_is_an_error(value: Any) -> None:
    with pytest.raises(InputError, match=r"no message in it|no known transcript format"):
        document(value)


@pytest.mark.skipif(not HERE, reason="the shared sessions are not here")
class TestReal:
    """The real log: the manifest's calls, every result with its call, and sizes beside the reported ones."""

    def test_calls_pairs_and_usage(self) -> None:
        found = loaded(REAL)
        assert len(found.calls) == api_calls(REAL) and len(found.pairs) == 92 and not found.findings
        rows = [json.loads(line) for line in (FOLDER / REAL).read_text(encoding="utf-8").splitlines()]
        told = [row["raw"]["model_usage"] for row in rows if row["kind"] == "model_request_end"]
        assert found.log.main_usage is not None
        assert found.log.main_usage.cache_read == sum(one["cache_read_input_tokens"] for one in told)
        assert found.log.main_usage.output == sum(one["output_tokens"] for one in told)

    def test_nothing_left_its_windows(self) -> None:
        prompts = [row.prompt for row in compared(REAL)]
        assert prompts == sorted(prompts) and not loaded(REAL).events
        assert median_off(compared(REAL)) < 0.1
