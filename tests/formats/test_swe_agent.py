"""Trajectories of SWE-agent and mini-swe-agent. Expected values follow `spec/2` and the notes' section 8."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from tests.formats.real import FOLDER, HERE, api_calls, loaded
from tests.formats.wire_logs import truth, windows
from windowkeeper_cli.formats import loads
from windowkeeper_cli.formats.folder import session_files
from windowkeeper_cli.formats.outline import outline
from windowkeeper_cli.model.block import Text, Think, ToolCall, ToolResult, texts_of
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.transcript import Transcript

OLD, NEW, MINI = (
    f"swe-agent/{name}"
    for name in ("swe-agent-0.x-pydicom.traj", "swe-agent-1.x-marshmallow.traj", "mini-swe-agent.traj.json")
)
Json = dict[str, Any]


def system(words: str = "S") -> Json:
    return {"role": "system", "content": words, "agent": "main"}


def user(words: str, **more: Any) -> Json:
    return {"role": "user", "content": words, "agent": "main", **more}


def acts(number: int, **more: Any) -> Json:
    function = {"name": "open", "arguments": json.dumps({"path": f"f{number}"})}
    call = {"id": f"c{number}", "type": "function", "function": function}
    made = {"role": "assistant", "content": f"step {number}", "action": f"open f{number}", "thought": f"step {number}"}
    return made | {"agent": "main", "tool_calls": [call]} | more


def sees(number: int, words: str) -> Json:
    return {"role": "tool", "content": words, "agent": "main", "tool_call_ids": [f"c{number}"]}


def step(number: int, **more: Any) -> Json:
    return {"action": f"open f{number}", "observation": "o", "response": f"step {number}", "state": "{}", **more}


HISTORY = [system(), user("fix it"), acts(1), sees(1, "one"), acts(2), sees(2, "two"), acts(3), sees(3, "three")]


def elided(*numbers: int, upto: int = 8) -> list[Json]:
    """Return the history with the observations of some steps elided, as a history processor does."""
    found = [dict(message) for message in HISTORY[:upto]]
    for number in numbers:
        found[2 * number + 1]["content"] = "Old environment output: (1 lines omitted)"
    return found


def traj(steps: list[Json], history: list[Json] = HISTORY, **info: Any) -> Transcript:
    return document({"trajectory": steps, "history": history, "info": info, "environment": "main"})


def test_a_history_becomes_items_and_calls() -> None:
    stats = {"tokens_sent": 900, "tokens_received": 30, "api_calls": 3}
    facts: Json = {"model_stats": stats, "exit_status": "submitted", "swe_agent_version": "1.1.0"}
    found = traj([step(n, state={"working_dir": "/w"}) for n in (1, 2, 3)], **facts)
    assert roles(found) == "suatatat" and len(found.calls) == 3 and not found.findings and not found.events
    assert (found.format, found.log.version, found.log.cwd) == ("swe-agent", "1.1.0", "/w")
    assert found.blocks(2) == (Text("step 1"), ToolCall("c1", "open", '{"path": "f1"}'))
    assert found.blocks(3) == (ToolResult("c1", "open", False, (Text("one"),)),) and found.items[3].resource == "f1"
    assert [item.request for item in found.items if item.role == "user"] == [True]
    # The figures of all calls together are no call's own.
    assert found.log.main_usage == Usage(900, 30) and [call.usage for call in found.calls] == [None] * 3
    assert "900 tokens sent and 30 received by all calls together" in found.format_why


def test_a_version_without_tools_has_observations_that_no_person_wrote() -> None:
    plain = [system(), user("demo", is_demo=True), user("fix it")]
    for number in (1, 2):
        plain += [acts(number, tool_calls=None), user(f"out {number}")]
    found = traj([step(1), step(2)], plain)
    assert roles(found) == "suuauau" and "1 message of a demonstration" in found.format_why
    assert [(item.request, item.authored_by) for item in found.items if item.role == "user"] == [
        (False, "harness"), (True, "person"), (False, "harness"), (False, "harness"),
    ]  # fmt: skip


def test_what_a_step_was_sent_with_is_the_true_window() -> None:
    queries = [HISTORY[:2], elided(upto=4), elided(1, upto=6)]
    found = traj([step(n + 1, query=query) for n, query in enumerate(queries)])
    assert list(windows(found)) == [shown(query) for query in queries]
    assert [(event.kind, event.call, event.cleared) for event in found.events] == [("clear", 3, (3,))]
    assert found.events[0].where == "doc.json:trajectory[2].query" and roles(found) == "suatatat"


def test_messages_that_end_behind_the_steps_own_reply_are_the_next_ones_window() -> None:
    after = [elided(upto=4), elided(1, upto=6), elided(1, 2)]
    found = traj([step(n + 1, messages=messages) for n, messages in enumerate(after)])
    assert list(windows(found)) == [shown(HISTORY[:2]), shown(elided(upto=4)), shown(elided(1, upto=6))]
    assert [(event.call, event.cleared) for event in found.events] == [(3, (3,)), (4, (5,))]
    assert "the true windows of 3 calls" in found.format_why


def test_an_elided_text_that_comes_back_and_messages_that_left() -> None:
    queries = [HISTORY[:2], elided(1, upto=4), [*HISTORY[:2], *HISTORY[4:6]]]
    found = traj([step(n + 1, query=query) for n, query in enumerate(queries)])
    assert list(windows(found)) == [shown(query) for query in queries]
    assert [(event.kind, event.call) for event in found.events] == [("clear", 2), ("window", 3)]
    back = [HISTORY[:2], elided(1, upto=4), HISTORY[:6]]
    found = traj([step(n + 1, query=query) for n, query in enumerate(back)])
    assert list(windows(found)) == [shown(query) for query in back]


def test_observations_in_user_messages_are_elided_too() -> None:
    plain = [system(), user("fix it")]
    for number, words in enumerate(("one", "two", "three"), 1):
        plain += [acts(number, tool_calls=None), user(words)]
    short = [dict(message) for message in plain[:6]]
    short[3]["content"] = [{"type": "text", "text": "Old environment output: (1 lines omitted)"}]
    queries = [plain[:2], plain[:4], short]
    found = traj([step(n + 1, query=query) for n, query in enumerate(queries)], plain)
    assert list(windows(found)) == [shown(query) for query in queries] and roles(found) == "suauauau"
    assert [(event.kind, event.call, event.cleared) for event in found.events] == [("clear", 3, (3,))]
    assert not found.items[3].request


def shown(query: list[Json]) -> list[Any]:
    """Return what a window holds as plain values, read off its JSON; the ids of results are put where they are read."""
    return truth({"messages": [{**one, "tool_call_id": (one.get("tool_call_ids") or [""])[0]} for one in query]})


def test_a_step_without_its_reply_ends_the_true_windows() -> None:
    found = traj([step(9, query=[user("?")]), step(2, query=HISTORY[:4])])
    assert not found.events and roles(found) == "suatatat" and "windows" not in found.format_why


def test_a_trajectory_without_its_history_is_made_of_its_steps() -> None:
    found = document({"trajectory": [step(1, thought="t"), None, step(2)]})
    assert roles(found) == "auau" and texts_of(found.blocks(0)) == ("step 1",) and len(found.calls) == 2


def test_thinking_that_is_kept_beside_a_reply() -> None:
    found = traj([], [user("x"), acts(1, thinking_blocks=[{"thinking": "hm", "signature": "S"}, {"redacted": 1}])])
    assert found.blocks(1)[0] == Think("hm", "S")


def test_a_mini_trajectory_with_its_facts_and_usage() -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 60}}
    message = {"role": "assistant", "content": "on it", "tool_calls": None}
    response = {"id": "r1", "model": "m-2", "usage": usage, "choices": [{"message": message, "finish_reason": "stop"}]}
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command":"ls"}'}}
    messages = [
        {"role": "system", "content": "S"},
        {"role": "user", "content": "fix it"},
        {**message, "tool_calls": [call], "extra": {"response": response, "timestamp": 1_700_000_000.5}},
        {"role": "tool", "tool_call_id": "c1", "content": "<returncode>0</returncode>", "extra": {"returncode": 0}},
        {"role": "exit", "content": "the patch", "extra": {"exit_status": "Submitted"}},
    ]
    config = {"model": {"model_name": "p/m-1"}, "environment": {"cwd": "/testbed"}}
    info = {"mini_version": "2.0.1", "exit_status": "Submitted", "submission": "", "config": config}
    body = {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    found = document(body)
    assert (found.format, found.log.version, found.log.cwd) == ("swe-agent", "mini 2.0.1", "/testbed")
    assert roles(found) == "suat" and not found.findings and found.models == ("m-2",)
    assert found.calls[0].usage == Usage(40, 5, 60) and found.calls[0].time == "2023-11-14T22:13:20.500Z"
    # Without its own name of the format, the exit status tells it.
    assert document({"info": info, "messages": messages}).format == "swe-agent"


def test_messages_alone_are_minis_where_a_command_was_run() -> None:
    told = [
        {"role": "system", "content": "S"},
        {"role": "user", "content": "fix it"},
        {"role": "assistant", "content": "look\n\n```bash\nls\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\na\n</output>"},
    ]
    found = document(told)
    assert found.format == "swe-agent" and [item.request for item in found.items] == [False, True, False, False]
    assert document([*told[:3], {"role": "user", "content": "thanks"}]).format == "openai-chat"


def test_hard_messages_are_named_and_the_rest_loads() -> None:
    history = [
        system(), user("go"), acts(1), sees(1, "a"), sees(1, "b"), sees(9, "c"), acts(1), user("on"),
        {"role": "oracle", "content": "?"}, None, 7, {"role": "assistant", "content": None}, user(None),  # type: ignore[arg-type]
        {"role": "tool", "content": ["a", {"type": "new"}], "tool_call_ids": None},
    ]  # fmt: skip
    found = traj([], history)  # type: ignore[arg-type]
    assert roles(found) == "suatttauaut"
    assert sorted(kinds(found)) == [
        ("duplicate-tool-call-id", "history[6].tool_calls[0]"), ("duplicate-tool-result", "history[4]"),
        ("orphan-tool-result", "history[13]"), ("orphan-tool-result", "history[5]"),
        ("unanswered-tool-call", "history[6].tool_calls[0]"), ("unknown-record", "history[10]"),
        ("unknown-record", "history[8]"), ("unknown-record", "history[9]"),
    ]  # fmt: skip


@pytest.mark.parametrize("value", [{"trajectory": [], "history": []}, {"trajectory": [step(1)], "history": []}])
def test_nothing_to_read_is_an_error(value: Any) -> None:
    with pytest.raises(InputError, match="no message in it; read as swe-agent"):
        document(value)


def test_a_cut_trajectory_is_damage() -> None:
    whole = json.dumps({"trajectory": [step(1)], "history": HISTORY}, indent=1).encode()
    with pytest.raises(InputError, match=r"traj:[0-9]+:[0-9]+: the JSON is damaged"):
        loads(whole[: len(whole) // 2], "traj")


def test_a_folder_of_trajectories_holds_sessions(tmp_path: Path) -> None:
    (tmp_path / "one.traj").write_text(json.dumps({"trajectory": [step(1)], "history": HISTORY}), encoding="utf-8")
    assert [file.path for file in session_files(str(tmp_path)).sessions] == [str(tmp_path / "one.traj")]
    assert outline(str(tmp_path / "one.traj")).calls == 3


@pytest.mark.skipif(not HERE, reason="the shared sessions are not here")
class TestReal:
    """Real trajectories: calls as the manifest counts them, and every true window."""

    @pytest.mark.parametrize("name", [OLD, NEW, MINI])
    def test_calls_and_the_one_request(self, name: str) -> None:
        found = loaded(name)
        assert len(found.calls) == api_calls(name) and sum(item.request for item in found.items) == 1
        # The demonstration that this one replays gives an id to two calls, four times.
        assert [finding.kind for finding in found.findings] == ["duplicate-tool-call-id"] * (4 if name == NEW else 0)

    def test_every_true_window_comes_out_of_items_and_events(self) -> None:
        steps = json.loads((FOLDER / NEW).read_text(encoding="utf-8"))["trajectory"]
        made = list(windows(loaded(NEW)))
        assert made[0] == shown(steps[0]["messages"][:2])
        for number, window in enumerate(made[1:]):
            assert window == shown(steps[number]["messages"]), number + 2
