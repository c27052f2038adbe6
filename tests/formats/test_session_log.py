"""Claude Code session logs: what is on the chain, who wrote it, what the harness did. Values by hand, after
`spec/2` (Session logs) and section 4 of the notes on session logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import LogFile, call, kinds, roles, text
from windowkeeper_cli.formats import load, loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import UsageError


def usage(uncached: int, written: int, read: int, output: int) -> dict[str, int]:
    return {
        "input_tokens": uncached,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": read,
        "output_tokens": output,
    }


def texts(transcript: Any) -> list[str]:
    return [b.text for i in transcript.items for b in transcript.blocks(i.at) if isinstance(b, Text)]


def test_all_lines_of_a_message_id_are_one_call_and_its_usage_counts_once() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m1", {"type": "thinking", "thinking": "", "signature": "s"}, usage=usage(1, 2, 3, 1))
    log.reply("m1", text("b"), usage=usage(1, 2, 3, 4))
    log.reply("m1", call("x", command="ls"), usage=usage(1, 2, 3, 40), stop="tool_use")
    transcript = log.load()
    assert roles(transcript) == "ua" and len(transcript.items[1].origins) == 3
    assert transcript.blocks(1) == (Think("", "s"), Text("b"), ToolCall("x", "Bash", '{"command":"ls"}'))
    assert transcript.calls[0].usage == Usage(1, 40, 3, 2, output_final=True)
    assert transcript.calls[0].message_id == "m1"


def test_output_is_as_logged_where_no_line_has_a_stop_reason() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m1", text("b"), usage=usage(1, 2, 3, 4))
    log.reply("m2", text("c"))
    transcript = log.load()
    assert transcript.calls[0].usage == Usage(1, 4, 3, 2, output_final=False)
    assert transcript.calls[1].usage is None and transcript.log.unmeasured == 1


def test_parallel_results_hang_off_their_own_lines() -> None:
    """Layout (a): the reply's lines chain, every result hangs off its own tool_use line, one goes on."""
    log = LogFile()
    log.user("a")
    first = log.reply("m1", call("x"))
    second = log.reply("m1", call("y"))
    log.result("x", parent=first)
    log.result("y", parent=second)
    log.reply("m2", text("b"), parent="u5")
    transcript = log.load()
    assert roles(transcript) == "uatta" and transcript.pairs == {(1, "x"): 2, (1, "y"): 3}
    assert transcript.findings == ()


def test_a_result_before_its_calls_first_line_is_placed_behind_it() -> None:
    log = LogFile()
    log.user("a")
    log.result("x", parent="u3")
    log.reply("m1", call("x"), parent="u1")
    log.reply("m2", text("b"), parent="u2")
    transcript = log.load()
    assert roles(transcript) == "uata" and transcript.pairs == {(1, "x"): 2} and transcript.findings == ()


def test_every_line_with_a_uuid_can_be_a_link() -> None:
    log = LogFile()
    log.user("a")
    log.add("progress", data={"type": "hook_progress"})
    log.add("system", subtype="turn_duration")
    log.reply("m1", text("b"))
    assert roles(log.load()) == "ua"


def test_a_parent_that_names_no_line_is_a_lost_line_not_a_root() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m1", text("b"))
    log.user("c", parent="gone")
    transcript = log.load()
    assert roles(transcript) == "uau" and kinds(transcript) == [("dangling-parent", "3")]


def test_a_stray_first_line_is_left_out_and_counted() -> None:
    log = LogFile()
    log.user("stray", parent="gone")
    log.user("a", parent=None)
    log.reply("m1", text("b"))
    transcript = log.load()
    assert texts(transcript) == ["a", "b"]
    assert kinds(transcript) == [("dangling-parent", "1"), ("abandoned-branch", "1")]
    assert (transcript.log.branches, transcript.log.parts) == (1, 1)


def test_an_abandoned_branch_is_left_out_and_counted_once() -> None:
    log = LogFile()
    start = log.user("a")
    log.reply("m1", text("wrong way"))
    log.user("no")
    log.add("system", subtype="turn_duration")
    log.reply("m2", text("more of it"))
    log.user("b", parent=start)
    log.reply("m3", text("right way"))
    transcript = log.load()
    assert texts(transcript) == ["a", "b", "right way"]
    assert kinds(transcript) == [("abandoned-branch", "2")]
    assert "3 messages (2 calls)" in transcript.findings[0].text


def test_identical_lines_written_twice_count_once() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m1", text("b"))
    log.lines.append(dict(log.lines[-1]))
    transcript = log.load()
    assert roles(transcript) == "ua" and texts(transcript) == ["a", "b"] and transcript.log.records == 2


def cleared() -> LogFile:
    log = LogFile()
    log.user("a")
    log.reply("m1", text("b"))
    log.add("progress", parent=None, data={"type": "hook_progress", "hookName": "SessionStart:clear"})
    log.user("c")
    log.reply("m2", text("d"))
    return log


def test_a_clear_in_mid_file_begins_another_part_and_the_last_is_the_default() -> None:
    assert texts(cleared().load()) == ["c", "d"]
    first = cleared().load(part=1)
    assert (texts(first), first.log.part, first.log.parts, first.findings) == (["a", "b"], 1, 2, ())
    with pytest.raises(UsageError, match="--part 3"):
        cleared().load(part=3)


def test_lines_that_name_no_other_line_stand_in_the_order_of_the_file() -> None:
    log = LogFile()
    for words in ("a", "b"):
        log.user(words, parent=None)
    log.reply("m1", text("c"), parent=None)
    assert texts(log.load()) == ["a", "b", "c"]


def test_parents_that_go_round_are_no_endless_walk() -> None:
    log = LogFile()
    log.user("a", parent="u3")
    log.add("system", parent="u4", subtype="x")
    log.reply("m1", text("b"), parent="u1")
    log.add("system", parent="u2", subtype="x")
    log.user("c", parent="u2")
    assert "c" in texts(log.load())


def test_synthetic_replies_are_no_calls() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m0", text("API Error"), model="<synthetic>", usage=usage(0, 0, 0, 0))
    log.reply("m1", text("limit"), isApiErrorMessage=True)
    log.user("b")
    log.reply("m2", text("c"))
    transcript = log.load()
    assert texts(transcript) == ["a", "b", "c"] and transcript.log.synthetic_lines == (2, 3)
    assert transcript.models == ("claude-test",)


def compacted(**boundary: Any) -> LogFile:
    log = LogFile()
    log.user("a")
    last = log.reply("m1", text("b"))
    facts = {"trigger": "auto", "preTokens": 155_000}
    named = {"logicalParentUuid": last, "compactMetadata": facts, **boundary}
    log.add("system", parent=None, subtype="compact_boundary", **named)
    log.user("what was said", isCompactSummary=True, isVisibleInTranscriptOnly=True)
    log.user("c")
    log.reply("m2", text("d"))
    return log


@pytest.mark.parametrize("boundary", [{}, {"logicalParentUuid": "gone"}, {"logicalParentUuid": None}])
def test_the_chain_crosses_a_compaction_and_leaves_the_summary_out(boundary: dict[str, Any]) -> None:
    transcript = compacted(**boundary).load()
    assert texts(transcript) == ["a", "b", "c", "d"]
    (event,) = transcript.events
    assert (event.kind, event.at, event.call, event.where, event.line) == ("compaction", 2, 2, "log.jsonl:3", 3)
    assert (event.trigger, event.pre_tokens, event.summary_line) == ("auto", 155_000, 4)
    assert event.summary == (Text("what was said"),)


def test_a_microcompaction_names_the_results_that_it_cleared() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m1", call("x"), call("y"))
    log.result("x")
    log.result("y")
    facts = {"trigger": "auto", "preTokens": 7, "compactedToolIds": ["y", "gone", 3]}
    log.add("system", subtype="microcompact_boundary", microcompactMetadata=facts)
    log.reply("m2", text("b"))
    (event,) = log.load().events
    assert (event.kind, event.at, event.call, event.cleared) == ("microcompaction", 4, 2, (3,))


def test_a_microcompaction_right_before_a_compaction_is_listed() -> None:
    log = LogFile()
    log.user("a")
    last = log.reply("m1", text("b"))
    log.add("system", subtype="microcompact_boundary", microcompactMetadata={"compactedToolIds": []})
    log.add("system", parent=None, subtype="compact_boundary", logicalParentUuid=last)
    log.user("summary", isCompactSummary=True)
    assert [event.kind for event in log.load().events] == ["microcompaction", "compaction"]


PEOPLE = [
    ("fix the parser", {}, True),
    ("skill text", {"isMeta": True}, False),
    ("<local-command-caveat>Caveat: ...", {}, False),
    ("Caveat: The messages below were generated by the user while running local commands.", {}, False),
    ("<local-command-stdout>x</local-command-stdout>", {}, False),
    ("<command-name>/exit</command-name>", {}, False),
    ("<task-notification>x", {}, False),
    ("<bash-input>ls</bash-input>", {}, False),
    ("<bash-stdout>x</bash-stdout>", {}, False),
    ("[Request interrupted by user]", {}, False),
    ("[Request interrupted by user for tool use]", {}, False),
    ("[dropped history: 3 messages", {}, False),
]


@pytest.mark.parametrize(("words", "more", "person"), PEOPLE)
@pytest.mark.parametrize("as_list", [False, True])
def test_who_is_a_person(words: str, more: dict[str, Any], person: bool, as_list: bool) -> None:
    log = LogFile()
    log.user([text(words)] if as_list else words, **more)
    log.reply("m1", text("b"))
    item = log.load().items[0]
    assert (item.request, item.authored_by) == (person, "person" if person else "harness")


def test_a_slash_command_is_a_request_where_it_has_an_expansion() -> None:
    log = LogFile()
    log.user("<command-message>review</command-message>\n<command-name>/review</command-name>")
    log.user([text("Review the pull request.")], isMeta=True)
    log.reply("m1", text("b"))
    log.user("<command-name>/clear</command-name>")
    log.user("<local-command-caveat>Caveat", isMeta=True)
    items = log.load().items
    assert [(item.request, item.expands) for item in items] == [
        (True, -1), (False, 0), (False, -1), (False, -1), (False, -1),
    ]  # fmt: skip


def test_a_remark_beside_a_result_is_an_item_of_its_own() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m1", call("x"))
    result = {"type": "tool_result", "tool_use_id": "x", "content": "refused", "is_error": True}
    log.user([result, text("do it by hand")])
    transcript = log.load()
    assert roles(transcript) == "uatu" and transcript.items[3].request
    assert transcript.blocks(2) == (ToolResult("x", "Bash", True, (Text("refused"),)),)


def test_what_the_program_kept_of_a_result_is_not_what_the_model_saw() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m1", call("x"))
    log.result("x", "short", toolUseResult={"stdout": "much longer"})
    assert log.load().blocks(2) == (ToolResult("x", "Bash", False, (Text("short"),)),)


def queue(log: LogFile, operation: str, content: str | None = None) -> None:
    line = {"type": "queue-operation", "operation": operation, "sessionId": "s-1", "timestamp": "t"}
    log.bare(**line, **({} if content is None else {"content": content}))


def test_a_prompt_taken_from_the_queue_stands_where_it_was_taken() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m1", call("x"))
    queue(log, "enqueue", "and the tests")
    log.result("x")
    queue(log, "remove")
    log.reply("m2", text("b"))
    transcript = log.load()
    assert roles(transcript) == "uatua"
    item = transcript.items[3]
    assert (item.request, [origin.line for origin in item.origins]) == (True, [3, 5])
    assert transcript.source.raw(3).count(b"queue-operation") == 2


def test_a_prompt_taken_while_a_call_was_open_stands_behind_its_result() -> None:
    """By the notes, sections 4 and 6: it was sent with the results; `spec/5`: its run starts at the next call."""
    log = LogFile()
    log.user("a")
    log.reply("m1", call("x"))
    queue(log, "enqueue", "and the tests")
    queue(log, "remove")
    log.result("x")
    log.reply("m2", text("b"))
    log.reply("m3", text("c"))
    transcript = log.load()
    assert roles(transcript) == "uatuaa" and transcript.findings == ()
    item = transcript.items[3]
    assert (item.request, item.turn, [origin.line for origin in item.origins]) == (True, 2, [3, 4])
    assert [(c.run, c.iteration, c.anchor) for c in transcript.all_calls()] == [
        (1, 1, 0), (2, 1, 3), (2, 2, 3), (2, 3, 3),
    ]  # fmt: skip


def test_prompts_taken_between_parallel_results_stand_behind_the_last_one_in_their_order() -> None:
    log = LogFile()
    log.user("a")
    first = log.reply("m1", call("x"))
    for words in ("p", "q", "r"):
        queue(log, "enqueue", words)
    queue(log, "remove", "p")
    log.result("x", "one", parent=first)
    queue(log, "remove", "q")
    second = log.reply("m1", call("y"), parent=first)
    log.result("y", "two", parent=second)
    queue(log, "remove", "r")
    log.reply("m2", text("b"))
    transcript = log.load()
    assert roles(transcript) == "uattuuua" and transcript.findings == ()
    assert texts(transcript) == ["a", "p", "q", "r", "b"]
    assert transcript.pairs == {(1, "x"): 2, (1, "y"): 3} and transcript.next_call.run == 2


def test_a_taken_prompt_keeps_its_place_where_no_result_of_the_reply_before_it_follows() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m1", call("x"), call("y"))
    log.result("x")
    queue(log, "enqueue", "p")
    queue(log, "remove")
    log.user("b")
    log.reply("m2", text("c"))
    log.result("y")
    transcript = log.load()
    assert roles(transcript) == "uatuuat" and texts(transcript) == ["a", "p", "b", "c"]
    assert [finding.kind for finding in transcript.findings] == ["late-tool-result"]
    assert transcript.next_call.run == 1


def test_a_prompt_taken_before_a_compaction_and_sent_after_it_stands_after_the_event() -> None:
    log = LogFile()
    log.user("a")
    last = log.reply("m1", call("x"))
    queue(log, "enqueue", "p")
    queue(log, "remove")
    log.add("system", parent=None, subtype="compact_boundary", logicalParentUuid=last)
    log.user("summary", isCompactSummary=True)
    log.result("x")
    log.reply("m2", text("b"))
    transcript = log.load()
    (event,) = transcript.events
    assert (roles(transcript), event.at, event.call) == ("uatua", 2, 2)


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ([("enqueue", "p"), ("popAll", "p")], []),
        ([("enqueue", "p"), ("dequeue", None)], []),
        ([("enqueue", '{"task_id":"b1"}'), ("remove", None)], []),
        ([("enqueue", "/compact now"), ("remove", None)], []),
        ([("enqueue", "/home/x is gone"), ("remove", None)], [("/home/x is gone", True)]),
        ([("enqueue", "own"), ("remove", None)], []),
        ([("enqueue", "<task-notification>n"), ("remove", None)], [("<task-notification>n", False)]),
        ([("enqueue", '{"task_id":"b1"}'), ("enqueue", "p"), ("remove", None)], [("p", True)]),
        ([("enqueue", "p"), ("enqueue", "q"), ("remove", None), ("remove", None)], [("p", True), ("q", True)]),
        ([("enqueue", "p"), ("enqueue", "q"), ("remove", "q")], [("q", True)]),
        ([("remove", None), ("dequeue", None)], []),
    ],
)
def test_what_of_the_queue_was_sent(operations: list[tuple[str, str | None]], expected: list[tuple[str, bool]]) -> None:
    log = LogFile()
    log.user("a")
    for operation, content in operations:
        queue(log, operation, content)
    log.reply("m1", text("b"))
    log.user("own")
    transcript = log.load()
    found = [(texts(transcript)[i.at], i.request) for i in transcript.items if len(i.origins) == 2]
    assert found == expected


def test_a_prompt_taken_in_an_abandoned_branch_is_not_sent() -> None:
    log = LogFile()
    start = log.user("a")
    log.reply("m1", text("wrong"))
    queue(log, "enqueue", "p")
    queue(log, "remove")
    log.user("b", parent=start)
    assert texts(log.load()) == ["a", "b"]


def test_attachments_were_sent_and_no_person_wrote_them() -> None:
    log = LogFile()
    log.user("a")
    log.add("attachment", attachment={"type": "todo_reminder", "content": [], "itemCount": 0})
    log.add("attachment", attachment={"type": "queued_command", "prompt": "and this", "commandMode": "prompt"})
    log.reply("m1", text("b"))
    transcript = log.load()
    assert texts(transcript) == ["a", '{"type":"todo_reminder","content":[],"itemCount":0}', "and this", "b"]
    assert [item.authored_by for item in transcript.items] == ["person", "harness", "person", "model"]


def test_images_keep_their_block_and_the_size_of_their_header() -> None:
    data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    log = LogFile()
    log.user([text("see"), block])
    log.reply("m1", text("b"))
    shown = log.load().blocks(0)[1]
    assert shown == Other("image", json.dumps(block, separators=(",", ":")), (1, 1))


def with_agents() -> LogFile:
    log = LogFile()
    log.user("a")
    log.reply("m1", call("t", "Task", prompt="look"))
    for number, (kind, content) in enumerate(
        [("user", "look"), ("assistant", [call("y")]), ("assistant", [text("found")])], 1
    ):
        message = {"role": kind, "id": f"n{number}", "content": content, "usage": usage(number, 0, 0, 2)}
        inner = {"type": kind, "uuid": f"a{number}", "message": message}
        log.add("progress", data={"type": "agent_progress", "agentId": "ag1", "message": inner})
    log.user("side", uuid="s1", parent=None, isSidechain=True)
    log.reply("n9", text("aside"), uuid="s2", parent="s1", isSidechain=True, usage=usage(5, 0, 0, 1))
    log.result("t", parent="u2")
    log.reply("m2", text("b"))
    return log


def test_subagents_are_never_in_the_main_chain_and_are_listed() -> None:
    transcript = with_agents().load()
    assert roles(transcript) == "uata" and transcript.findings == ()
    assert [(agent.id, agent.calls, agent.where) for agent in transcript.agents] == [
        ("ag1", 2, "log.jsonl:3"),
        ("s1", 1, "log.jsonl:6"),
    ]
    assert (transcript.log.side_calls, transcript.log.side_usage) == (3, Usage(10, 5, output_final=False))
    assert dict(transcript.log.side_blocks) == {"userText": 2, "toolCall": 1, "assistantText": 2}


def test_a_subagent_is_chosen_by_its_id_and_its_first_prompt_is_its_request() -> None:
    transcript = with_agents().load(agent="ag")
    assert (texts(transcript), transcript.agent, len(transcript.calls)) == (["look", "found"], "ag1", 2)
    first = transcript.items[0]
    assert (first.request, first.authored_by, first.task) == (True, "model", True)
    with pytest.raises(UsageError, match="no agent 'zz'; agents: ag1, s1"):
        with_agents().load(agent="zz")


def agent_file() -> LogFile:
    log = LogFile()
    log.user("look", isSidechain=True, agentId="ag7")
    log.reply("n1", text("found"), isSidechain=True, agentId="ag7", usage=usage(1, 2, 3, 4))
    return log


def test_a_file_of_side_lines_alone_is_a_transcript() -> None:
    transcript = agent_file().load()
    assert (roles(transcript), transcript.agent) == ("ua", "ag7")
    assert transcript.items[0].authored_by == "model" and transcript.log.side_calls == 0


@pytest.mark.parametrize("place", ["session/subagents/agent-ag7.jsonl", "agent-ag7.jsonl"])
def test_a_subagent_with_a_file_of_its_own_is_listed_and_chosen(tmp_path: Path, place: str) -> None:
    main = LogFile()
    main.user("a")
    main.reply("m1", text("b"))
    (tmp_path / "session.jsonl").write_bytes(main.encoded())
    file = tmp_path / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(agent_file().encoded())
    other = LogFile("another session")
    other.user("x", isSidechain=True, agentId="no")
    (tmp_path / "agent-no.jsonl").write_bytes(other.encoded())
    transcript = load(str(tmp_path / "session.jsonl"))
    assert [(agent.id, agent.calls) for agent in transcript.agents] == [("ag7", 1)]
    assert transcript.agents[0].usage == Usage(1, 4, 3, 2, output_final=False)
    chosen = load(str(tmp_path / "session.jsonl"), agent="ag7")
    assert (texts(chosen), chosen.agent, chosen.files[0].path) == (["look", "found"], "ag7", str(file))


def test_a_resumed_copy_counts_once_whichever_file_comes_first() -> None:
    first = LogFile("old")
    first.user("a")
    first.reply("m1", text("b"), usage=usage(1, 0, 0, 1))
    first.bare(type="file-history-snapshot", messageId="x")
    second = LogFile("new")
    second.lines = [{**line, "sessionId": "new"} if "uuid" in line else dict(line) for line in first.lines]
    second.last = "u2"
    second.user("c", uuid="u9")
    second.reply("m2", text("d"), uuid="u10")
    for one, two in ((first, second), (second, first)):
        transcript = loads(one.encoded(), "one", also=[(two.encoded(), "two")])
        assert texts(transcript) == ["a", "b", "c", "d"]
        assert (transcript.log.records, [file.records for file in transcript.files]) == (
            5,
            [3, 5] if one is first else [5, 3],
        )
        assert transcript.findings == ()


def test_a_copy_with_new_uuids_is_known_by_its_message_id() -> None:
    first = LogFile()
    first.user("a")
    first.reply("m1", text("b"))
    second = LogFile()
    second.last = "u1"
    second.reply("m1", text("b"), uuid="v2")
    second.user("c", uuid="v3")
    transcript = loads(first.encoded(), "one", also=[(second.encoded(), "two")])
    assert texts(transcript) == ["a", "b", "c"] and transcript.findings == ()


def test_unknown_types_are_counted_once_for_each_name() -> None:
    log = LogFile()
    log.user("a")
    log.bare(type="future", n=1)
    log.reply("m1", {"type": "new_block"})
    log.bare(type="future", n=2)
    log.bare(type="user", message="broken")
    transcript = log.load()
    assert kinds(transcript) == [("unknown-record", "2"), ("unknown-record", "5"), ("unknown-block", "3")]
    assert [(k.name, k.count, k.lines) for k in transcript.log.unknown_records] == [
        ("future", 2, (2, 4)),
        ("user without a message", 1, (5,)),
    ]
    assert transcript.log.not_understood == 3


def test_a_user_line_without_content_is_no_request() -> None:
    log = LogFile()
    log.add("user", message={"role": "user", "contents": "x"})
    log.user("a")
    assert [item.request for item in log.load().items] == [False, True]


def test_facts_of_the_log_are_those_of_its_last_message() -> None:
    log = LogFile("s-9")
    log.user("a", version="2.1.0", cwd="/repo")
    transcript = log.load()
    assert (transcript.session, transcript.log.version, transcript.log.cwd) == ("s-9", "2.1.0", "/repo")


def test_the_folder_is_the_one_that_the_session_was_started_in() -> None:
    log = LogFile()
    log.user("a", cwd="/repo")
    log.reply("m1", text("b"), cwd="/repo/below")
    assert log.load().log.cwd == "/repo"


@pytest.mark.parametrize("parent", [None, "lost"])
def test_a_summary_that_no_boundary_announces_is_a_compaction_of_its_own(parent: str | None) -> None:
    log = LogFile()
    log.user("what was said", isCompactSummary=True, parent=parent)
    log.user("go on")
    log.reply("m1", text("done"))
    found = log.load()
    (event,) = found.events
    assert (event.kind, event.at, event.call, event.line, event.summary_line) == ("compaction", 0, 1, 1, 1)
    assert event.summary == (Text("what was said"),) and roles(found) == "ua"


def test_a_summary_in_the_middle_without_its_boundary_folds_what_stood_before() -> None:
    log = LogFile()
    log.user("go")
    log.reply("m1", text("done"))
    log.user("what was said", isCompactSummary=True)
    log.add("system", subtype="turn_duration")
    log.user("go on")
    log.reply("m2", text("done again"))
    (event,) = log.load().events
    assert (event.at, event.call, event.line, event.summary_line) == (2, 2, 3, 3)
