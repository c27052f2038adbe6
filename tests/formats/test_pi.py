"""Sessions of pi. Expected values follow `spec/2`, the notes' section 8, and pi's own sources where a test says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from tests.formats.real import HERE, api_calls, compared, loaded, median_off
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult, texts_of
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.transcript import Transcript

USAGE = {"input": 10, "output": 3, "cacheRead": 200, "cacheWrite": 40}
SMALL, FOLDED, TREE = (
    "pi/pi-v1-453calls.jsonl",
    "pi/pi-v1-484calls-2compactions.jsonl",
    "pi/pi-v3-117calls-2compactions.jsonl",
)


class Session:
    """Lines of a session; with `version` 3 each names the line before it as its parent unless it is told another."""

    def __init__(self, version: int = 3, **more: Any) -> None:
        self.linked = version > 1
        head = {"type": "session", "id": "s-1", "timestamp": "2026-01-02T03:04:05.000Z", "cwd": "/w"}
        self.lines: list[Any] = [head | ({"version": version} if self.linked else {}) | more]
        self.last: str | None = None

    def add(self, kind: str, **more: Any) -> str:
        ident: str = more.pop("id", f"e{len(self.lines)}")
        line = {"type": kind, "timestamp": f"2026-01-02T03:05:{len(self.lines):02}.000Z"} | more
        if self.linked:
            line = {"id": ident, "parentId": self.last} | line
        self.lines.append(line)
        self.last = ident
        return ident

    def says(self, role: str, content: Any, **more: Any) -> str:
        links = {key: more.pop(key) for key in ("id", "parentId") if key in more}
        return self.add("message", message={"role": role, "content": content} | more, **links)

    def asks(self, text: str = "go", **more: Any) -> str:
        return self.says("user", [{"type": "text", "text": text}], **more)

    def replies(self, *parts: Any, usage: Any = USAGE, **more: Any) -> str:
        made = {"provider": "p", "model": "m-1", "usage": usage, "stopReason": "toolUse"} | more
        return self.says("assistant", list(parts), **made)

    def result(self, ident: str, text: str = "out", **more: Any) -> str:
        content = [{"type": "text", "text": text}]
        return self.says("toolResult", content, **({"toolCallId": ident, "toolName": "read", "isError": False} | more))

    def load(self, **options: Any) -> Transcript:
        return loads("\n".join(map(json.dumps, self.lines)).encode() + b"\n", "pi.jsonl", **options)


def call(ident: str, **args: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": ident, "name": "read", "arguments": args}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def test_a_session_becomes_items_calls_and_facts() -> None:
    made = Session()
    made.add("model_change", provider="p", modelId="m-1")
    made.asks("read a")
    made.replies({"type": "thinking", "thinking": "hm", "thinkingSignature": "S"}, text(""), call("c1", path="a.py"))
    made.result("c1", "text of a", isError=True)
    made.replies(text("done"), usage=dict.fromkeys(USAGE, 0), responseId="msg_7", stopReason="aborted")
    found = made.load()
    assert (found.format, found.session, found.log.version, found.log.cwd) == ("pi", "s-1", "v3", "/w")
    assert roles(found) == "uata" and found.models == ("m-1",) and not found.findings
    assert found.blocks(1) == (Think("hm", "S"), ToolCall("c1", "read", '{"path":"a.py"}'))
    assert found.blocks(2) == (ToolResult("c1", "read", True, (Text("text of a"),)),)
    assert found.pairs == {(1, "c1"): 2} and found.items[2].resource == "a.py" and found.items[2].is_error
    first, second = found.calls
    assert (
        first.usage == Usage(10, 3, 200, 40) and first.usage.prompt == 250 and first.time == "2026-01-02T03:05:03.000Z"
    )
    # pi writes zeros for a reply that was broken off before anything was reported.
    assert second.usage is None and found.log.unmeasured == 1 and second.message_id == "msg_7"
    assert found.items[0].request and found.items[0].authored_by == "person"


@pytest.mark.parametrize("version", [1, 3])
def test_a_compaction_is_a_summary_and_the_tail_from_the_first_kept_record_on(version: int) -> None:
    made = Session(version)
    made.asks("one")
    made.replies(text("1"))
    kept = made.asks("two")
    made.replies(text("2"))
    named = {"firstKeptEntryId": kept} if version == 3 else {"firstKeptEntryIndex": 3}
    made.add("compaction", summary="So far.", tokensBefore=900, **named)
    made.asks("three")
    made.replies(text("3"))
    found = made.load()
    (event,) = found.events
    assert (event.kind, event.at, event.call, event.kept) == ("compaction", 4, 3, (2, 3))
    assert (event.summary, event.pre_tokens, event.where) == ((Text("So far."),), 900, "pi.jsonl:6")
    assert roles(found) == "uauaua" and found.log.version == f"v{version}"


@pytest.mark.parametrize(
    "named", [{}, {"firstKeptEntryId": "gone"}, {"firstKeptEntryIndex": 99}, {"firstKeptEntryIndex": None}]
)
def test_a_compaction_whose_first_kept_record_is_nowhere_kept_nothing(named: Any) -> None:
    made = Session(1 if "firstKeptEntryIndex" in named else 3)
    made.asks()
    made.replies(text("1"))
    made.add("compaction", summary=None, **named)
    made.asks()
    (event,) = made.load().events
    assert (event.kept, event.summary, event.summary_id, event.pre_tokens) == ((), (), None, None)


def test_the_last_record_stands_on_the_branch_that_is_read() -> None:
    made = Session()
    first = made.asks("one")
    made.replies(text("left"))
    made.asks("left too")
    made.replies(text("left as well"))
    made.add("branch_summary", fromId="e4", summary="Tried it.", parentId=first)
    made.asks("another way")
    made.replies(text("kept"))
    found = made.load()
    texts = [texts_of(found.blocks(at)) for at in range(len(found.items))]
    assert [one[0] for one in texts][::2] == ["one", "another way"] and roles(found) == "uuua"
    # Worded as pi's packages/coding-agent/src/core/messages.ts does.
    told = "The following is a summary of a branch that this conversation came back from:"
    told += "\n\n<summary>\nTried it.</summary>"
    assert texts[1] == (told,) and not found.items[1].request and found.items[1].authored_by == "harness"
    assert kinds(found) == [("abandoned-branch", "3")] and "3 messages (2 calls)" in found.findings[0].text
    assert (found.log.branches, found.log.main_calls, len(found.calls)) == (1, 3, 1)
    assert found.log.main_usage == Usage(30, 9, 600, 120)


def test_a_lost_parent_is_named_and_the_record_before_it_stands_in() -> None:
    made = Session()
    made.asks("one")
    made.replies(text("1"))
    made.asks("two", parentId="gone")
    found = made.load()
    assert roles(found) == "uau" and kinds(found) == [("dangling-parent", "4")]


def test_records_that_name_each_other_as_parents_end_the_walk() -> None:
    made = Session()
    made.asks("one", id="a", parentId="b")
    made.replies(text("1"), id="b", parentId="a")
    assert roles(made.load()) == "ua"


def test_what_a_person_ran_and_an_extension_sent_are_no_requests() -> None:
    made = Session()
    made.asks()
    # The words are those of pi's packages/coding-agent/src/core/messages.ts.
    for ran, told in (
        ({"command": "ls", "output": "a\nb", "exitCode": 0}, "Ran `ls`\n```\na\nb\n```"),
        ({"command": "x", "output": "", "exitCode": 2}, "Ran `x`\n(no output)\n\nCommand exited with code 2"),
        ({"command": "x", "output": "", "cancelled": True}, "Ran `x`\n(no output)\n\n(command cancelled)"),
        (
            {"command": "x", "output": "o", "truncated": True, "fullOutputPath": "/f"},
            "Ran `x`\n```\no\n```\n\n[Output truncated. Full output: /f]",
        ),
    ):
        made.add("message", message={"role": "bashExecution"} | ran)
        assert texts_of(made.load().blocks(len(made.load().items) - 1)) == (told,)
    made.add("message", message={"role": "bashExecution", "command": "ls", "excludeFromContext": True})
    made.add("custom_message", customType="x", content="from an extension", display=True)
    made.add("message", message={"role": "hookMessage", "content": [text("from a hook")]})
    made.add("custom", customType="x", data={"kept": "from the model"})
    made.add("label", targetId="e1", label="l")
    found = made.load()
    assert roles(found) == "uuuuuuu" and [item.request for item in found.items] == [True, *[False] * 6]
    assert not found.findings


def test_hard_lines_are_named_and_the_rest_loads() -> None:
    made = Session()
    made.asks(id="u1")
    made.replies(call("c1"), call("c1"), {"type": "image", "data": "x", "mimeType": "image/png"}, {"type": "new"})
    made.result("c1")
    made.result("c1")
    made.result("c1")
    made.result("nobody")
    made.add("message", message={"role": "oracle", "content": "?"})
    made.add("message", message=None)
    made.add("weather", wind=3)
    made.says("user", None)
    made.says("assistant", None, usage=None)
    made.says("assistant", "plain")
    lines = [*map(json.dumps, made.lines), "17", '{"type":"message","mess']
    found = loads("\n".join(lines).encode(), "pi.jsonl")
    assert sorted(kinds(found)) == [
        ("duplicate-tool-call-id", "3"), ("duplicate-tool-result", "6"), ("orphan-tool-result", "7"),
        ("truncated-json", "15"), ("unknown-block", "3"), ("unknown-record", "10"), ("unknown-record", "14"),
        ("unknown-record", "8"), ("unknown-record", "9"),
    ]  # fmt: skip
    assert found.log.still_written and [unknown.name for unknown in found.log.unknown_blocks] == ["new"]
    assert any(isinstance(block, Other) and block.kind == "image" for block in found.blocks(1))
    assert roles(found) == "uattttuaa" and [call.usage for call in found.calls][1:] == [None, None]


def test_a_list_of_the_lines_is_the_same_session() -> None:
    made = Session()
    made.asks()
    made.replies(call("c1"))
    made.replies(text("1"))
    listed = document(made.lines)
    assert [item.id for item in listed.items] == [item.id for item in made.load().items]
    assert listed.format == "pi" and kinds(listed) == [("unanswered-tool-call", "[2]")]


def test_a_session_line_alone_holds_no_message() -> None:
    with pytest.raises(InputError, match="no message in it; read as pi"):
        Session().load()


@pytest.mark.skipif(not HERE, reason="the shared sessions are not here")
class TestReal:
    """Real sessions: calls as the manifest counts them, recorded windows as reported."""

    @pytest.mark.parametrize("name", [SMALL, FOLDED, TREE])
    def test_calls_and_pairs(self, name: str) -> None:
        found = loaded(name)
        assert len(found.calls) == found.log.main_calls == api_calls(name)
        assert {finding.kind for finding in found.findings} <= {"unanswered-tool-call"}
        assert sum(found.items[at].is_result for at in range(len(found.items))) == len(found.pairs)

    @pytest.mark.parametrize(("name", "most", "calls"), [(FOLDED, 0.03, (174, 304)), (TREE, 0.10, (62,))])
    def test_recorded_windows_agree_with_the_reported_prompts_across_compactions(
        self, name: str, most: float, calls: tuple[int, ...]
    ) -> None:
        rows = compared(name)
        assert median_off(rows) < most
        for number in calls:
            at = next(n for n, row in enumerate(rows) if row.call >= number)
            before, after = rows[at - 1], rows[at]
            assert after.prompt < before.prompt / 2 and after.off < before.off + 0.06
