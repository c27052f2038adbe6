"""Exports of opencode. Expected values follow `spec/2`, the notes' section 8, and opencode's own message-v2.ts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from tests.formats.real import HERE, api_calls, compared, loaded, median_off
from windowkeeper_cli.formats import loads
from windowkeeper_cli.formats.times import iso_of
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError

REAL = "opencode/opencode-1.17-export.json"
TOKENS = {"input": 2, "output": 30, "reasoning": 0, "cache": {"read": 400, "write": 50}}
START = 1_700_000_000_000
NONE = {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def tool(ident: str, output: str = "out", **state: Any) -> dict[str, Any]:
    made = {"status": "completed", "input": {"filePath": "a.py"}, "output": output, "time": {"start": 1, "end": 2}}
    return {"type": "tool", "tool": "read", "callID": ident, "state": made | state}


class Export:
    """An export; every message comes a second after the one before it."""

    def __init__(self, **info: Any) -> None:
        self.info = {"id": "ses_1", "directory": "/w", "version": "1.2.3"} | info
        self.messages: list[dict[str, Any]] = []

    def add(self, role: str, parts: list[Any], **info: Any) -> str:
        number = len(self.messages)
        head = {"id": f"m{number}", "role": role, "time": {"created": START + 1_000 * number}}
        self.messages.append({"info": head | info, "parts": parts})
        return f"m{number}"

    def asks(self, *parts: Any, **info: Any) -> str:
        return self.add("user", list(parts) or [text("go")], **info)

    def answers(self, *parts: Any, tokens: Any = TOKENS, **info: Any) -> str:
        """Add a reply of one step."""
        finish = {"type": "step-finish", "tokens": tokens}
        made = [{"type": "step-start"}, *parts, finish]
        return self.add("assistant", made, **({"modelID": "m-1", "tokens": tokens, "finish": "stop"} | info))

    def load(self) -> Any:
        return document({"info": self.info, "messages": self.messages})


def test_an_export_becomes_items_calls_and_facts() -> None:
    made = Export()
    made.asks(text("read a"), text("not sent", ignored=True), {"type": "file", "mime": "image/png", "url": "data:x"})
    signed = {"anthropic": {"signature": "S"}}
    made.answers({"type": "reasoning", "text": "hm", "metadata": signed}, text(""), tool("c1", "text of a"))
    made.answers(text("done"), tokens=NONE)
    found = made.load()
    assert (found.format, found.session, found.log.version, found.log.cwd) == ("opencode", "ses_1", "1.2.3", "/w")
    assert roles(found) == "uata" and found.models == ("m-1",) and not found.findings
    assert found.blocks(0)[0] == Text("read a") and isinstance(found.blocks(0)[1], Other) and len(found.blocks(0)) == 2
    assert found.blocks(1) == (Think("hm", "S"), ToolCall("c1", "read", '{"filePath":"a.py"}'))
    assert found.blocks(2) == (ToolResult("c1", "read", False, (Text("text of a"),)),)
    assert found.pairs == {(1, "c1"): 2} and found.items[2].resource == "a.py"
    first, second = found.calls
    assert first.usage == Usage(2, 30, 400, 50) and (first.message_id, first.time) == ("m1", "2023-11-14T22:13:21.000Z")
    # opencode writes zeros for a reply that was broken off before anything was reported.
    assert second.usage is None and found.log.unmeasured == 1


def test_reasoning_counts_as_output_where_the_total_says_that_it_stands_beside_it() -> None:
    made = Export()
    made.asks()
    made.answers(tokens=TOKENS | {"reasoning": 7, "total": 489})
    made.answers(tokens=TOKENS | {"reasoning": 7, "total": 482})
    made.answers(tokens=TOKENS | {"reasoning": 7})
    assert [call.usage.output for call in made.load().calls] == [37, 30, 30]


def test_every_step_of_a_message_is_a_call() -> None:
    made = Export()
    made.asks()
    parts: list[Any] = []
    for number in (1, 2):
        finish = {"type": "step-finish", "tokens": TOKENS | {"input": number}}
        parts += [{"type": "step-start"}, tool(f"c{number}"), finish]
    made.add("assistant", parts, tokens=TOKENS | {"input": 2})
    found = made.load()
    assert roles(found) == "uatat" and [call.usage.input for call in found.calls] == [1, 2] and not found.findings


@pytest.mark.parametrize(
    ("state", "error", "content"),
    [
        ({"status": "error", "error": "no such file"}, True, ("no such file",)),
        ({"status": "error", "error": "x", "metadata": {"interrupted": True, "output": "so far"}}, False, ("so far",)),
        ({"status": "error", "error": "x", "metadata": {"interrupted": True}}, True, ("x",)),
        ({"status": "completed", "output": None}, False, ()),
    ],
)
def test_a_tool_part_holds_its_result(state: Any, error: bool, content: Any) -> None:
    made = Export()
    made.asks()
    made.answers(tool("c1", **state))
    assert made.load().blocks(2) == (ToolResult("c1", "read", error, tuple(map(Text, content))),)


def test_a_tool_that_never_ended_has_no_result() -> None:
    made = Export()
    made.asks()
    made.answers(tool("c1", status="running"))
    assert roles(made.load()) == "ua" and not made.load().findings
    made.answers(text("on"))
    assert kinds(made.load()) == [("unanswered-tool-call", "messages[1].parts[1]")]


def test_texts_that_opencode_put_in_are_no_requests() -> None:
    made = Export()
    made.asks()
    made.asks(text("Continue.", synthetic=True))
    made.asks(text("Look.", synthetic=True), text("at this"))
    made.asks({"type": "subtask", "prompt": "p", "agent": "x"})
    made.asks(text("ignored", ignored=True))
    found = made.load()
    assert [(item.request, item.authored_by) for item in found.items] == [
        (True, "person"), (False, "harness"), (True, "person"), (True, "person"),
    ]  # fmt: skip


@pytest.mark.parametrize(("tail", "kept"), [({}, ()), ({"tail_start_id": "m2"}, (2, 3)), ({"tail_start_id": "?"}, ())])
def test_a_compaction_is_a_summary_and_the_tail_it_kept(tail: Any, kept: tuple[int, ...]) -> None:
    made = Export()
    for number in ("1", "2"):
        made.asks(text(number))
        made.answers(text(number))
    asked = made.asks({"type": "compaction", "auto": True, **tail})
    made.answers(text("So far."), summary=True, parentID=asked, tokens=TOKENS | {"input": 9})
    made.asks(text("Continue.", synthetic=True))
    made.answers(text("3"))
    found = made.load()
    assert roles(found) == "uauaua" and len(found.calls) == 3
    (event,) = found.events
    assert (event.kind, event.at, event.call, event.trigger, event.kept) == ("compaction", 4, 3, "auto", kept)
    assert event.summary == (Text("So far."),) and event.where == "doc.json:messages[5]"
    # The call that made the summary is no call of the transcript, but it was paid.
    assert found.log.main_calls == 4 and found.log.main_usage == Usage(15, 120, 1_600, 200)


def test_a_summary_that_failed_or_never_ended_folds_nothing() -> None:
    made = Export()
    made.asks()
    made.answers(text("1"))
    asked = made.asks({"type": "compaction", "auto": False})
    made.answers(text("So f"), summary=True, parentID=asked, error={"name": "APIError", "data": {}})
    found = made.load()
    assert not found.events and roles(found) == "uau" and not found.items[2].request
    assert found.blocks(2) == (Text("What did we do so far?"),) and len(found.log.synthetic_lines) == 1


def test_a_summary_of_an_old_version_stands_alone() -> None:
    made = Export()
    asked = made.asks()
    made.answers(text("1"))
    made.answers(text("So far."), summary=True, parentID=asked)
    made.asks(text("on"))
    found = made.load()
    assert [(event.at, event.call, event.trigger, event.kept) for event in found.events] == [(2, 2, None, ())]


def test_pruned_results_are_cleared_before_the_first_call_after_it() -> None:
    made = Export()
    made.asks()
    # Cleared at the fourth second: the call of that second is the first that lacks them.
    made.answers(tool("c1", time={"end": 1, "compacted": START + 4_000}))
    made.answers(tool("c2", time={"end": 1, "compacted": START + 4_001}), tool("c3"))
    made.answers(text("not yet"))
    made.answers(text("cleared"))
    made.answers(text("late"))
    found = made.load()
    told = [(event.kind, event.call, event.cleared) for event in found.events]
    assert told == [("microcompaction", 4, (2,)), ("microcompaction", 5, (4,))]
    stub = (Text("[Old tool result content cleared]"),)
    assert found.events[0].shown == ((ToolResult("c1", "read", False, stub),),)


def test_what_stands_behind_a_revert_is_left_and_counted() -> None:
    made = Export(revert={"messageID": "m2"})
    for number in ("1", "2"):
        made.asks(text(number))
        made.answers(text(number))
    found = made.load()
    assert roles(found) == "ua" and kinds(found) == [("abandoned-branch", "messages[2]")]
    assert "2 messages (1 call)" in found.findings[0].text and found.log.main_calls == 2


def test_a_reply_that_failed_is_not_sent_again() -> None:
    made = Export()
    made.asks()
    made.answers(error={"name": "APIError"}, tokens=NONE)
    made.answers(text("half"), error={"name": "MessageAbortedError"}, tokens=NONE)
    made.add("assistant", [{"type": "step-start"}], error={"name": "MessageAbortedError"})
    found = made.load()
    assert roles(found) == "ua" and found.blocks(1) == (Text("half"),) and len(found.log.synthetic_lines) == 2


def test_the_system_text_of_an_old_version_comes_first_and_once() -> None:
    made = Export()
    made.asks()
    made.answers(text("1"), system=["Be brief.", "You are x."])
    made.answers(text("2"), system=["Be brief."])
    found = made.load()
    assert roles(found) == "suaa" and found.blocks(0) == (Text("Be brief."), Text("You are x."))
    assert found.envelope == 1 and found.calls[0].at == 2


def test_hard_messages_are_named_and_the_rest_loads() -> None:
    made = Export()
    made.asks()
    made.answers(tool("c1"), tool("c1"), {"type": "hologram"}, None, 3)
    made.messages += [{"info": {"role": "oracle"}, "parts": []}, {"info": None}, None]  # type: ignore[list-item]
    made.add("user", None)  # type: ignore[arg-type]
    made.add("assistant", [], time=None, tokens=None)
    found = made.load()
    assert roles(found) == "uatta"
    assert sorted(kinds(found)) == [
        ("duplicate-tool-call-id", "messages[1].parts[2]"), ("unknown-block", "messages[1]"),
        ("unknown-record", "messages[2]"), ("unknown-record", "messages[3]"), ("unknown-record", "messages[4]"),
    ]  # fmt: skip


def test_messages_alone_as_a_list_or_lines_are_known() -> None:
    made = Export()
    made.asks()
    made.answers(tool("c1"))
    whole = [item.id for item in made.load().items]
    assert [item.id for item in document(made.messages).items] == whole
    lines = loads("\n".join(map(json.dumps, made.messages)).encode(), "lines")
    assert [item.id for item in lines.items] == whole and lines.format == "opencode"


def test_a_session_without_messages_is_an_error() -> None:
    with pytest.raises(InputError, match="no known transcript format"):
        Export().load()


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, "1970-01-01T00:00:00.000Z"), (1_500, "1970-01-01T00:00:01.500Z"), (-1, None), (1e300, None), (True, None)],
)
def test_milliseconds_are_moments(value: Any, expected: str | None) -> None:
    assert iso_of(value) == expected


@pytest.mark.skipif(not HERE, reason="the shared sessions are not here")
def test_a_real_export() -> None:
    found = loaded(REAL)
    assert len(found.calls) == api_calls(REAL) and not found.findings
    rows = compared(REAL)
    assert median_off(rows) < 0.03
    # Call 12 reports 32,000 tokens of output; its thinking is logged in short form alone, and later windows lack it.
    assert [row.call for row in rows if row.off > 0.1] == list(range(13, 22))
