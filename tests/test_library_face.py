"""The library as a user meets it: its names, what they import, their types, and the README's example (spec/4)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import windowkeeper_cli
from tests.house import ROOT
from windowkeeper_cli import (
    Budget,
    MemoryArchive,
    Policy,
    from_anthropic,
    from_openai,
    handle_recall,
    is_drop_notice,
    keep,
    recall_tool_ai_sdk,
    recall_tool_anthropic,
    recall_tool_openai,
    to_anthropic,
    to_openai,
)

README = (ROOT / "README.md").read_text("utf-8")
EXAMPLE = re.findall(r"<!-- runs -->\n```python\n(.*?)```", README, re.S)
PRINTED = re.findall(r"<!-- printed -->\n```text\n(.*?)```", README, re.S)
HEAVY = {"pydantic", "pydantic_core", "rich", "typer", "anthropic", "openai"}


def run(code: str, folder: Path) -> str:
    """Run a program outside the project's folder, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=folder, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_readme_s_example_prints_what_it_says(tmp_path: Path) -> None:
    assert len(EXAMPLE) == len(PRINTED) == 1
    assert run(EXAMPLE[0], tmp_path) == PRINTED[0]


def test_keep_with_a_policy_in_code_imports_nothing_heavy(tmp_path: Path) -> None:
    code = EXAMPLE[0] + "\nimport sys\nprint(sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = set(json.loads(run(code, tmp_path).splitlines()[-1].replace("'", '"')))
    assert "windowkeeper_cli" in loaded
    assert not loaded & HEAVY


def test_importing_the_package_imports_none_of_its_floors(tmp_path: Path) -> None:
    code = "import sys, windowkeeper_cli; print([name for name in sys.modules if name.startswith('windowkeeper_cli.')])"
    assert run(code, tmp_path).strip() == "[]"


def test_every_name_of_the_face_is_there() -> None:
    for name in windowkeeper_cli.__all__:
        assert getattr(windowkeeper_cli, name) is not None, name
    assert set(windowkeeper_cli.__all__) <= set(dir(windowkeeper_cli))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = windowkeeper_cli.nothing


PROGRAM = """
from typing import reveal_type
from windowkeeper_cli import (
    Budget, Kept, MemoryArchive, Policy, WindowkeeperError, from_anthropic, from_openai, handle_recall, is_drop_notice,
    keep, load, recall_tool_ai_sdk, recall_tool_anthropic, recall_tool_openai, to_anthropic, to_openai,
)

archive = MemoryArchive()
transcript = from_anthropic([{"role": "user", "content": "Hi"}], system="Be kind.")
kept: Kept = keep(transcript, Policy(budget=Budget(max=1_000)), archive=archive)
window, ledger = keep(load("a.json"), archive=archive, counter="chars:4")
reveal_type(to_anthropic(window))
reveal_type(handle_recall(archive, {"id": "abcd"}))
reveal_type(kept.ledger)
reveal_type(is_drop_notice({}))
reveal_type(recall_tool_anthropic)
to_openai(from_openai({"input": "Hi"}), api="responses", told=print)
tools = [recall_tool_ai_sdk, recall_tool_openai]
try:
    keep(transcript, archive=archive, policy=3)
except WindowkeeperError as error:
    reveal_type(error.todo)
"""


def test_a_user_s_program_is_type_checked(tmp_path: Path) -> None:
    """mypy --strict, in a folder without our configuration, sees the types and the one error that is in it."""
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "program.py"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    lines = [line.partition(": ")[2] for line in done.stdout.splitlines()]
    types = [line.removeprefix("note: Revealed type is ").strip('"') for line in lines if "Revealed" in line]
    assert [name.replace("builtins.", "") for name in types] == [
        "dict[str, Any]",
        "str",
        "tuple[typing.Mapping[str, object], ...]",
        "bool",
        "dict[str, Any]",
        "str",
    ]
    errors = [line for line in lines if line.startswith("error")]
    assert len(errors) == 1 and 'Argument "policy"' in errors[0], done.stdout


NOTICE = "[dropped history: earlier turns have left this window to make room."


def test_messages_of_both_providers_come_in_with_the_same_ids_and_go_out_again() -> None:
    anthropic: list[Any] = [
        {"role": "user", "content": "Look"},
        {"role": "assistant", "content": [
            {"type": "text", "text": "Reading."},
            {"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "a.py"}},
        ]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "fine"}]},
    ]  # fmt: skip
    chat: list[Any] = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Look"},
        {"role": "assistant", "content": "Reading.", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at":"a.py"}'}},
        ]},
        {"role": "tool", "tool_call_id": "c1", "content": "fine"},
    ]  # fmt: skip
    one, other = from_anthropic(anthropic, system="Be kind."), from_openai(chat)
    assert [item.id for item in one.items] == [item.id for item in other.items]
    assert to_anthropic(one) == to_anthropic(other) == {"system": "Be kind.", "messages": anthropic}
    assert to_openai(one) == to_openai(other) == {"messages": chat}
    items = to_openai(one, api="responses")
    assert [item.id for item in from_openai(items).items] == [item.id for item in one.items]
    assert [item.id for item in from_openai(items["input"]).items] == [item.id for item in one.items[1:]]


def test_a_harness_s_own_lists_are_left_as_they_are() -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]
    before = json.dumps(messages)
    keep(from_anthropic(messages), archive=MemoryArchive())
    assert json.dumps(messages) == before
    assert from_anthropic([]).items == () == from_openai([]).items


def test_what_is_changed_is_told() -> None:
    heard: list[str] = []
    to_anthropic(from_anthropic([{"role": "assistant", "content": "Hello"}]), told=heard.append)
    assert heard == ["a user's message put first, which says that earlier ones are missing: 1"]


def test_values_that_are_no_json_are_an_error_in_one_line() -> None:
    with pytest.raises(windowkeeper_cli.WindowkeeperError, match="no JSON"):
        from_anthropic([{"role": "user", "content": [{"type": "odd", "value": object()}]}])
    with pytest.raises(windowkeeper_cli.WindowkeeperError, match="unknown api"):
        to_openai(from_openai([]), api="telegraph")


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": NOTICE},
        {"role": "user", "content": [{"type": "text", "text": NOTICE}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": NOTICE}]},
        {"role": "user", "parts": [{"text": NOTICE}]},
    ],
)
def test_a_notice_is_known_in_every_provider_s_shape(message: dict[str, Any]) -> None:
    assert is_drop_notice(message)
    assert not is_drop_notice({**message, "role": "assistant"})


@pytest.mark.parametrize(
    "message", [None, "text", {}, {"role": "user", "content": []}, {"role": "user", "content": "Hi"}]
)
def test_nothing_else_is_a_notice(message: Any) -> None:
    assert not is_drop_notice(message)


def test_the_notices_that_keep_writes_are_known() -> None:
    messages: list[Any] = [{"role": "user", "content": "word " * 100} for _ in range(30)]
    kept = keep(from_openai(messages), Policy(budget=Budget(max=500, reserve=0)), archive=MemoryArchive())
    for sent in (to_openai(kept.window)["messages"], to_anthropic(kept.window)["messages"]):
        assert [is_drop_notice(message) for message in sent].count(True) == 1


def test_the_recall_tool_asks_for_an_id_in_every_schema() -> None:
    schemas = [
        recall_tool_anthropic["input_schema"],
        recall_tool_openai["function"]["parameters"],
        windowkeeper_cli.recall_tool_openai_responses["parameters"],
        recall_tool_ai_sdk["inputSchema"],
    ]
    assert all(schema["required"] == ["id"] for schema in schemas)
    names = (recall_tool_anthropic["name"], recall_tool_openai["function"]["name"], recall_tool_ai_sdk["name"])
    assert set(names) == {"recall"}
    windowkeeper_cli.recall_tool_anthropic["name"] = "mine"
    assert windowkeeper_cli.recall_tool_anthropic["name"] == "recall"


def archive_of(*contents: Any) -> tuple[MemoryArchive, list[str]]:
    archive = MemoryArchive()
    transcript = from_openai([{"role": "user", "content": content} for content in contents])
    keep(transcript, archive=archive)
    return archive, [item.id for item in transcript.items]


def test_recall_gives_the_content_by_id_however_the_model_writes_it() -> None:
    archive, (first, _) = archive_of("line one\r\n\x00line two ", "other")
    for given in (
        {"id": first},
        json.dumps({"id": first}),
        first,
        f" {first.upper()} ",
        first[:6],
        {"id": first, "n": 1},
    ):
        assert handle_recall(archive, given) == "line one\r\n\x00line two "


def test_recall_of_an_unknown_id_names_the_nearest_ones() -> None:
    archive, (first, _) = archive_of("one", "two")
    wrong = first[:10] + ("00" if first[10:] != "00" else "11")
    answer = handle_recall(archive, {"id": wrong})
    assert f"Nothing has the id {wrong}" in answer and first in answer
    odd: tuple[object, ...] = ({}, None, 3, {"id": 5}, {"id": ""}, "{", [], '{"id": null}')
    assert all(handle_recall(archive, given) for given in odd)
    assert "\x1b" not in handle_recall(archive, {"id": "\x1b[2J"})
    assert handle_recall(MemoryArchive(), {"id": "abcd"}) == "Nothing has the id abcd."


def test_recall_of_a_notice_lists_what_left() -> None:
    messages: list[Any] = [{"role": "user", "content": f"request {n} " * 40} for n in range(30)]
    archive = MemoryArchive()
    kept = keep(from_openai(messages), Policy(budget=Budget(max=500, reserve=0)), archive=archive)
    notice = next(line for line in kept.ledger if line["action"] == "insert")
    trimmed = [str(line["item"]) for line in kept.ledger if line.get("action") == "trim"]
    answer = handle_recall(archive, {"id": notice["item"]}).splitlines()
    assert answer[0] == f"{len(trimmed)} parts have left; recall one by its id:"
    assert [line[:12] for line in answer[1:]] == trimmed
    assert answer[1].endswith("user: request 0 request 0 request 0 request 0 request 0 request 0 request 0 request 0…")


def test_an_image_is_named_where_only_text_can_be_answered() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 9_000}}
    archive, (first,) = archive_of([{"type": "text", "text": "See"}, image])
    answer = handle_recall(archive, first)
    assert answer.startswith("See\n[image_url: 9,0") and len(answer) < 100
