"""Detection by content. Expected names follow the table and the sentence on plain texts in `spec/2`, Formats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.logs import LogFile, call, document, text
from windowkeeper_cli.formats import FORMATS, loads
from windowkeeper_cli.formats.detect import unknown_format
from windowkeeper_cli.model.errors import InputError, UsageError

PLAIN = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
TOOL_USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "n", "input": {}}]}
TOOL_CALLS = {"role": "assistant", "tool_calls": [{"id": "x", "function": {"name": "n", "arguments": "{}"}}]}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (PLAIN, "openai-chat"),
        ({"messages": PLAIN}, "openai-chat"),
        ({"messages": PLAIN, "model": "claude-x"}, "openai-chat"),
        ({"messages": PLAIN, "system": "S"}, "anthropic"),
        ({"messages": PLAIN, "tools": [{"name": "n", "input_schema": {}}]}, "anthropic"),
        ({"messages": PLAIN, "tools": [{"type": "function", "function": {}}]}, "openai-chat"),
        ([*PLAIN, TOOL_USE], "anthropic"),
        ([*PLAIN, TOOL_CALLS], "openai-chat"),
        ([{"role": "developer", "content": "d"}, *PLAIN], "openai-chat"),
        ([*PLAIN, {"role": "assistant", "content": [{"type": "server_tool_use", "id": "x"}]}], "anthropic"),
        ([*PLAIN, {"role": "assistant", "content": [{"type": "web_search_tool_result"}]}], "anthropic"),
        ([*PLAIN, {"role": "user", "content": [{"type": "hologram"}]}], "openai-chat"),
        ({"format": "windowkeeper/1", "messages": PLAIN}, "windowkeeper"),
        ({"messages": [{**PLAIN[0], "pinned": True}]}, "windowkeeper"),
    ],
)
def test_a_document_is_known_by_its_content(value: Any, expected: str) -> None:
    transcript = document(value)
    assert transcript.format == expected and transcript.format_why


def test_parts_in_no_known_shape_are_no_chat_and_an_unknown_one_is_counted() -> None:
    with pytest.raises(InputError, match="no known transcript format"):
        document([{"role": "user", "content": [{"kind": "hologram"}]}])
    with pytest.raises(InputError, match="no known transcript format"):
        document([{"role": "user", "content": [{"type": "hologram"}]}])
    found = document([*PLAIN, {"role": "user", "content": [{"type": "hologram"}]}])
    assert [(kind.name, kind.count) for kind in found.log.unknown_blocks] == [("hologram", 1)]


@pytest.mark.parametrize("messages", [PLAIN, [*PLAIN, TOOL_USE], [{**PLAIN[0], "tags": ["x"]}]])
def test_one_message_a_line_is_the_same_as_a_list(messages: list[Any]) -> None:
    lines = b"\n".join(json.dumps(message).encode() for message in messages)
    assert loads(lines, "doc.json").format == document(messages).format
    assert [i.id for i in loads(lines).items] == [i.id for i in document(messages).items]


def test_two_formats_that_fit_equally_are_an_error_that_names_both() -> None:
    with pytest.raises(InputError, match=r"fits two formats equally: anthropic .* and openai-chat"):
        document([TOOL_USE, TOOL_CALLS])


def test_from_overrides_what_the_content_says() -> None:
    assert document([*PLAIN], from_="anthropic").format == "anthropic"
    with pytest.raises(UsageError, match="unknown format 'nope'"):
        document(PLAIN, from_="nope")


def test_from_a_format_that_holds_nothing_of_it_is_an_error() -> None:
    with pytest.raises(InputError, match="no message in it; read as claude-code"):
        document(PLAIN, from_="claude-code")


@pytest.mark.parametrize(
    "value",
    [
        {"request": {"prompt": "a"}, "response": {"completion": "b"}},
        [{"request": {}, "response": {}}],
    ],
)
def test_a_wire_log_of_another_provider_is_refused_as_such(value: Any) -> None:
    with pytest.raises(InputError, match="request/response log of a provider that is not supported"):
        document(value)


def test_a_trace_without_spans_is_no_format() -> None:
    with pytest.raises(InputError, match="no known transcript format"):
        document({"resourceSpans": []})


def test_a_session_log_is_known_by_its_lines() -> None:
    log = LogFile()
    log.bare(type="permission-mode", sessionId="s")
    log.user("a")
    log.reply("m", text("b"), call("x"))
    assert log.load().format == "claude-code"


def test_a_log_kept_as_one_list_or_pretty_printed_is_the_same_log() -> None:
    log = LogFile()
    log.user("a")
    log.reply("m", text("b"))
    whole = [item.id for item in log.load().items]
    assert [item.id for item in document(log.lines).items] == whole
    pretty = "\n".join(json.dumps(line, indent=2) for line in log.lines)
    assert [item.id for item in loads(pretty.encode()).items] == whole


def test_every_registered_format_says_what_it_is() -> None:
    for name in FORMATS.names:
        module = FORMATS.module(name)
        assert module.WHAT and module.recognise([]) is None and module.recognise([3, None, "x", [[]]]) is None


def test_further_files_are_refused_where_a_format_has_none() -> None:
    with pytest.raises(UsageError, match="--also adds files of one session"):
        loads(json.dumps(PLAIN).encode(), also=[(json.dumps(PLAIN).encode(), "b")])


def test_a_format_that_is_not_known_is_said_in_a_line_that_can_be_read() -> None:
    # spec/2: the error names the file and the formats known; their shapes are the manual's, not one line's.
    said = str(unknown_format("notes.md"))
    assert said.startswith("notes.md: no known transcript format; formats known: windowkeeper, claude-code, ")
    assert all(name in said for name in FORMATS.names)
    assert len(said) < 400
