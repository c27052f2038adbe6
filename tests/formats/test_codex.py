"""Codex rollout files.

Expected values follow `spec/notes/session-log-formats.md`, section 8, and the rule of the case s16: a call happened
only where the running total advanced; `event_msg` lines repeat what response items hold.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from windowkeeper_cli.formats import loads, resolve
from windowkeeper_cli.formats.codex import outline
from windowkeeper_cli.formats.folder import session_files
from windowkeeper_cli.formats.outline import outline as outlined
from windowkeeper_cli.model.block import Other, Text
from windowkeeper_cli.model.transcript import Transcript

Json = dict[str, Any]


class Rollout:
    """Lines of a rollout file."""

    def __init__(self, **meta: Any) -> None:
        self.lines: list[Json] = []
        self.total = 0
        self.add("session_meta", id="s-1", cwd="/repo", cli_version="0.140.0", **meta)
        self.add("turn_context", model="gpt-5.5", cwd="/repo")

    def add(self, kind: str, **payload: Any) -> None:
        time = f"2026-03-04T10:00:{len(self.lines):02}.000Z"
        self.lines.append({"timestamp": time, "type": kind, "payload": payload})

    def item(self, kind: str, **payload: Any) -> None:
        self.add("response_item", type=kind, **payload)

    def event(self, kind: str, **payload: Any) -> None:
        self.add("event_msg", type=kind, **payload)

    def message(self, role: str, *texts: str) -> None:
        part = "output_text" if role == "assistant" else "input_text"
        self.item("message", role=role, content=[{"type": part, "text": text} for text in texts])

    def person(self, text: str) -> None:
        """Add what a person typed, and the event that shows it."""
        self.message("user", text)
        self.event("user_message", message=text)

    def says(self, text: str) -> None:
        self.message("assistant", text)
        self.event("agent_message", message=text)

    def thinks(self) -> None:
        self.item("reasoning", summary=[], encrypted_content="AAAA")

    def calls(self, *idents: str) -> None:
        for ident in idents:
            self.item("function_call", name="exec_command", arguments='{"cmd":"ls"}', call_id=ident)

    def gives(self, *idents: str) -> None:
        for ident in idents:
            self.item("function_call_output", call_id=ident, output=f"out {ident}")

    def count(self, tokens: int = 0, cached: int = 0) -> None:
        """Add a token count: of a call with so many prompt tokens, else the last one again."""
        self.total += tokens + 5 if tokens else 0
        last = {"input_tokens": tokens, "cached_input_tokens": cached, "output_tokens": 5, "total_tokens": tokens + 5}
        total = {"input_tokens": self.total, "cached_input_tokens": 0, "output_tokens": 0, "total_tokens": self.total}
        self.event("token_count", info={"total_token_usage": total, "last_token_usage": last})

    def encoded(self) -> bytes:
        return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in self.lines)

    def load(self) -> Transcript:
        return loads(self.encoded(), "rollout.jsonl")


def prompts(transcript: Transcript) -> list[int | None]:
    return [None if call.usage is None else call.usage.prompt for call in transcript.calls]


def one_turn() -> Rollout:
    made = Rollout()
    made.person("a")
    made.thinks()
    made.calls("c1", "c2")
    made.count(100, 60)
    made.gives("c1", "c2")
    made.says("b")
    made.count(200, 90)
    return made


def test_a_reply_is_what_stands_before_its_token_count() -> None:
    found = one_turn().load()
    assert found.format == "codex" and roles(found) == "uatta" and prompts(found) == [100, 200]
    usage = found.calls[0].usage
    assert usage is not None and (usage.input, usage.cache_read, usage.cache_write) == (40, 60, 0)
    assert [call.at for call in found.calls] == [1, 4] and found.calls[0].model == "gpt-5.5"
    assert (found.session, found.log.cwd, found.log.version) == ("s-1", "/repo", "0.140.0")
    assert found.items[1].calls[0].resource == "ls" and not found.findings


def test_results_written_before_the_count_follow_the_one_message() -> None:
    made = Rollout()
    made.person("a")
    for ident in ("c1", "c2"):
        made.calls(ident)
        made.gives(ident)
    made.count(100)
    made.says("b")
    made.count(200)
    found = made.load()
    assert roles(found) == "uatta" and prompts(found) == [100, 200]
    assert found.pairs == {(1, "c1"): 2, (1, "c2"): 3}
    assert [origin.line for origin in found.items[1].origins] == [5, 7]


def test_the_same_figures_again_are_no_call() -> None:
    made = one_turn()
    made.count()
    made.event("token_count", info=None, rate_limits={})
    made.count()
    assert prompts(made.load()) == [100, 200]


def test_a_count_before_its_items_belongs_to_them() -> None:
    made = Rollout()
    made.person("a")
    made.count(100)
    made.thinks()
    made.calls("c1")
    made.gives("c1")
    made.count(200)
    made.says("b")
    found = made.load()
    assert roles(found) == "uata" and prompts(found) == [100, 200]


def test_without_counts_a_reply_ends_at_a_result() -> None:
    made = Rollout()
    made.person("a")
    for ident in ("c1", "c2"):
        made.thinks()
        made.calls(ident)
        made.gives(ident)
    made.says("b")
    found = made.load()
    assert roles(found) == "uatata" and prompts(found) == [None, None, None] and found.log.unmeasured == 3


def test_a_turn_that_was_broken_off_ends_its_reply() -> None:
    made = Rollout()
    made.person("a")
    made.thinks()
    made.message("user", "<turn_aborted>\nThe user interrupted.")
    made.event("turn_aborted", reason="interrupted")
    made.person("b")
    made.thinks()
    made.says("c")
    made.count(300)
    found = made.load()
    assert roles(found) == "uauua" and prompts(found) == [None, 300]
    assert [item.request for item in found.items] == [True, False, False, True, False]
    assert kinds(found) == [("dangling-reasoning", "5")]
    assert found.calls[1].run == 2


def test_reasoning_at_the_very_end_may_still_be_followed() -> None:
    made = one_turn()
    made.person("c")
    made.thinks()
    assert not made.load().findings


def test_who_wrote_a_user_message_is_told_by_the_events() -> None:
    made = Rollout(base_instructions={"text": "You are Codex."})
    made.message("developer", "rules")
    made.message("user", "# AGENTS.md instructions for /repo", "<environment_context/>")
    made.person("a")
    made.says("b")
    made.message("user", "a note of the program")
    made.says("c")
    found = made.load()
    assert roles(found) == "ssuuaua" and found.envelope == 2
    assert [item.request for item in found.items] == [False, False, False, True, False, False, False]
    assert found.items[3].task and found.calls[0].anchor == 3


def test_an_event_may_stand_before_its_message_and_hold_one_of_its_parts() -> None:
    made = Rollout()
    made.event("user_message", message="look at this")
    made.message("user", "<image name=[Image #1]>", "look at this")
    made.says("b")
    assert [item.request for item in made.load().items] == [True, False]


def test_without_events_the_beginning_of_a_message_tells() -> None:
    made = Rollout()
    made.message("user", "<environment_context>\n  <cwd>/repo</cwd>")
    made.message("user", "a")
    made.says("b")
    assert [item.request for item in made.load().items] == [False, True, False]


def replaced(*kept: tuple[str, str], sealed: bool = True) -> list[Json]:
    history: list[Json] = [
        {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]} for role, text in kept
    ]
    return [*history, {"type": "compaction", "encrypted_content": "zzz"}] if sealed else history


def test_a_compaction_keeps_what_its_replacement_holds() -> None:
    made = one_turn()
    made.person("c")
    made.add("compacted", message="", replacement_history=replaced(("user", "a"), ("user", "c")))
    made.event("context_compacted")
    made.count()
    made.says("d")
    made.count(50)
    found = made.load()
    assert roles(found) == "uattaua" and prompts(found) == [100, 200, 50]
    event = found.events[0]
    assert (event.kind, event.at, event.call, event.kept, event.line) == ("compaction", 6, 3, (0, 5), 16)
    assert isinstance(event.summary[0], Other) and event.summary[0].kind == "compaction"


def test_a_compaction_without_a_replacement_keeps_what_users_said() -> None:
    made = one_turn()
    made.add("compacted", message="All was counted.")
    made.person("c")
    made.says("d")
    found = made.load()
    event = found.events[0]
    assert event.summary == (Text("All was counted."),) and event.kept == (0,) and event.at == 5


def test_a_history_built_again_holds_the_latest_that_persons_said() -> None:
    made = Rollout()
    made.message("user", "<environment_context/>")
    for text in ("old", "x" * 80_000, "new"):
        made.person(text)
        made.says("b")
    made.add("compacted", message="short")
    made.says("c")
    # 80,003 bytes are over 20,000 tokens of 4 bytes: what is older than the message that crosses them leaves.
    assert made.load().events[0].kept == (0, 3, 5)


def test_a_subagents_file_names_its_session() -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "s-0", "depth": 1}}}
    made = Rollout(source=spawned)
    made.person("count the files")
    made.says("3")
    found = made.load()
    assert found.agent == "s-1" and found.items[0].request
    seen = outline.glance(made.lines, made.lines)
    assert (seen.session, seen.side, seen.project) == ("s-0", True, "/repo")


def test_the_head_and_the_tail_say_when_and_where() -> None:
    made = one_turn()
    seen = outline.glance(made.lines[:3], made.lines[-2:])
    assert (seen.session, seen.side, seen.project) == ("s-1", False, "/repo")
    assert (seen.first, seen.last) == ("2026-03-04T10:00:00.000Z", "2026-03-04T10:00:12.000Z")


def test_a_folder_of_rollouts_is_listed_by_session(tmp_path: Path) -> None:
    made, side = one_turn(), Rollout(source={"subagent": {"thread_spawn": {"parent_thread_id": "s-1"}}})
    side.lines[0]["payload"]["id"] = "s-2"
    side.person("count")
    folder = tmp_path / "2026" / "03" / "04"
    folder.mkdir(parents=True)
    for name, one in (("s-1-main", made), ("s-2-side", side)):
        (folder / f"rollout-2026-03-04T10-00-00-{name}.jsonl").write_bytes(one.encoded())
    (file,) = session_files(str(tmp_path)).sessions
    assert file.path.endswith("s-1-main.jsonl") and len(file.agents) == 1
    told = outlined(file.path)
    assert (told.format, told.session, told.project) == ("codex", "s-1", "/repo")
    assert (told.calls, told.requests, told.peak, told.last, told.request) == (2, 1, 200, 200, "a")
    assert resolve("s-1-", [str(tmp_path)]) == file.path


def test_what_a_replacement_holds_in_other_words_is_the_summary() -> None:
    made = one_turn()
    history = replaced(("user", "a"), ("user", "Another model wrote: all counted."), sealed=False)
    made.add("compacted", message="all counted.", replacement_history=history)
    made.says("d")
    event = made.load().events[0]
    assert event.summary == (Text("Another model wrote: all counted."),) and event.kept == (0,)


def test_the_count_of_a_compactions_own_request_is_no_reply_of_the_session() -> None:
    made = one_turn()
    made.count(900)
    made.add("compacted", message="short")
    made.person("c")
    made.says("d")
    made.count(50)
    found = made.load()
    assert prompts(found) == [100, 200, 50]
    assert found.log.main_calls == 4 and found.log.main_usage is not None
    assert found.log.main_usage.prompt == 1250


def test_leading_texts_that_come_back_after_a_compaction_are_the_same_items() -> None:
    made = Rollout(base_instructions={"text": "You are Codex."})
    made.message("developer", "rules")
    made.person("a")
    made.says("b")
    made.count(100)
    made.add("compacted", message="", replacement_history=replaced(("user", "a")))
    made.message("developer", "rules")
    made.person("c")
    made.says("d")
    made.count(60)
    found = made.load()
    assert roles(found) == "ssuaua" and [origin.line for origin in found.items[1].origins] == [3, 10]
    again = Rollout()
    again.message("developer", "rules")
    again.person("a")
    again.says("b")
    again.message("developer", "rules")
    assert roles(again.load()) == "suas"


def test_what_was_rolled_back_is_counted_and_left_out() -> None:
    made = one_turn()
    made.person("wrong way")
    made.says("done")
    made.count(400)
    made.event("thread_rolled_back", num_turns=1)
    made.person("right way")
    made.says("done well")
    made.count(300)
    found = made.load()
    assert roles(found) == "uattaua" and prompts(found) == [100, 200, 300]
    assert found.log.main_calls == 4 and found.log.branches == 1
    assert kinds(found) == [("abandoned-branch", "14")]
    assert [call.anchor for call in found.calls] == [0, 0, 5]


def test_unknown_lines_and_items_are_counted_and_what_is_never_sent_is_not_there() -> None:
    made = one_turn()
    made.add("world_state", x=1)
    made.item("ghost_snapshot", ghost_commit={"id": "x"})
    made.item("message", role="critic", content=[])
    made.item("brand_new_call", z=1)
    made.event("anything_new", text="shown")
    found = made.load()
    assert {kind.name: kind.count for kind in found.log.unknown_records} == {
        "world_state": 1,
        "message of the role critic": 1,
    }
    assert {kind.name for kind in found.log.unknown_blocks} == {"brand_new_call"}
    assert not [finding for finding in found.findings if finding.is_fault]


def test_an_output_may_be_an_object_of_content_and_success() -> None:
    made = Rollout()
    made.person("a")
    made.calls("c1", "c2")
    made.item("function_call_output", call_id="c1", output={"content": "no such file", "success": False})
    made.item("function_call_output", call_id="c2", output={"content": "x", "success": True})
    found = made.load()
    assert [found.items[at].is_error for at in (2, 3)] == [True, False] and not found.log.unknown_blocks


def test_faults_name_their_lines() -> None:
    made = Rollout()
    made.gives("c0")
    made.person("a")
    made.calls("c1", "c1")
    made.count(100)
    made.gives("c1", "c1", "c1")
    made.says("b")
    made.calls("c9")
    made.person("c")
    found = made.load()
    assert kinds(found) == [
        ("orphan-tool-result", "3"),
        ("duplicate-tool-call-id", "7"),
        ("duplicate-tool-result", "11"),
        ("unanswered-tool-call", "14"),
    ]


def test_damaged_lines_are_named_and_the_rest_loads() -> None:
    lines = one_turn().encoded().split(b"\n")
    lines[3] = b"\0\0\0"
    lines[4] = lines[4][:40]
    found = loads(b"\n".join(lines), "rollout.jsonl")
    assert [(finding.kind, finding.line) for finding in found.findings][:2] == [("not-json", 4), ("truncated-json", 5)]
    assert found.format == "codex" and roles(found) == "uatta" and found.log.not_understood == 2
    cut = loads(one_turn().encoded()[:-30], "rollout.jsonl")
    assert cut.log.still_written and cut.findings[0].kind == "truncated-json"


def test_a_log_kept_as_one_list_is_the_same_log() -> None:
    made = one_turn()
    whole = made.load()
    listed = document(made.lines)
    assert listed.format == "codex" and [item.id for item in listed.items] == [item.id for item in whole.items]
    assert listed.calls == whole.calls


def test_the_first_versions_wrote_bare_items() -> None:
    lines: list[Json] = [
        {"id": "s-0", "timestamp": "2025-05-01T00:00:00Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": '{"output":"x"}'},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "b"}]},
    ]
    found = loads(b"\n".join(json.dumps(line).encode() for line in lines), "rollout.jsonl")
    assert found.format == "codex" and roles(found) == "uata" and found.session == "s-0"
    assert found.items[0].request and not found.log.unknown_records


@pytest.mark.parametrize(
    "info", [None, 3, {}, {"total_token_usage": None}, {"total_token_usage": {"input_tokens": "x"}}]
)
def test_odd_counts_tell_nothing(info: Any) -> None:
    made = Rollout()
    made.person("a")
    made.says("b")
    made.event("token_count", info=info)
    assert prompts(made.load()) == [None]
