"""The facts of `info`: every key of the shape in `spec/8`, figures by hand."""

from __future__ import annotations

from typing import Any

from tests.formats.logs import LogFile, call, document, text
from windowkeeper_cli.report.info import info_facts
from windowkeeper_cli.tokens import counts

KEYS = {
    "files", "formatWhy", "calls", "requests", "userTurns", "turns", "items", "models", "usage", "peakPromptTokens",
    "lastPromptTokens", "steps", "blocks", "toolPairs", "unanswered", "pending", "orphans", "late", "duplicates",
    "tools", "events", "agents", "unknown", "synthetic",
}  # fmt: skip


def usage(prompt: int) -> dict[str, int]:
    return {"input_tokens": prompt, "output_tokens": 2}


def log() -> LogFile:
    made = LogFile()
    made.user("a")
    for number, prompt in enumerate((100, 130, 150, 90, 400)):
        made.reply(f"m{number}", call(f"c{number}", "Read", file_path="a.py"), usage=usage(prompt))
        made.result(f"c{number}", "x" * 100)
    made.reply("m9", text("b"), call("z", "Bash", command="ls"))
    return made


def test_every_key_is_there_whatever_was_loaded() -> None:
    assert set(info_facts(document([{"role": "user", "content": "a"}]))) == KEYS
    assert set(info_facts(log().load())) == KEYS


def test_figures() -> None:
    facts = info_facts(log().load())
    assert facts["calls"] == {"main": 6, "sidechain": 0, "unmeasured": 1}
    assert (facts["requests"], facts["userTurns"], facts["turns"], facts["items"]) == (1, 1, 7, 12)
    assert facts["usage"]["main"] == {
        "uncachedInput": 870, "cacheWrite": 0, "cacheRead": 0, "promptTotal": 870, "output": 10,
    }  # fmt: skip
    assert facts["usage"]["sidechain"] is None
    assert (facts["peakPromptTokens"], facts["lastPromptTokens"]) == (400, 400)
    assert facts["steps"] == {"p50": 30, "p95": 310, "max": {"call": 5, "tokens": 310}}
    assert (facts["toolPairs"], facts["pending"], facts["unanswered"]) == (5, ["z"], [])
    assert facts["tools"] == [
        {"tool": "Read", "calls": 5, "tokens": None, "share": None, "errors": 0, "repeats": 4},
        {"tool": "Bash", "calls": 1, "tokens": None, "share": None, "errors": 0, "repeats": 0},
    ]


def test_what_is_unknown_is_none_and_never_zero() -> None:
    facts = info_facts(document([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]))
    assert facts["usage"] == {"main": None, "sidechain": None}
    assert (facts["peakPromptTokens"], facts["lastPromptTokens"], facts["steps"]["max"]) == (None, None, None)


def test_tokens_come_from_the_counts_that_are_given() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "a"}]
    for number in range(3):
        function = {"name": "read_file", "arguments": "{}"}
        messages.append({"role": "assistant", "tool_calls": [{"id": f"c{number}", "function": function}]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": "x" * 40})
    transcript = document(messages)
    counted = counts(transcript, "chars:4")
    facts = info_facts(transcript, counted)
    results = sum(counted.tokens[item.at] for item in transcript.items if item.is_result)
    assert facts["tools"][0]["tokens"] == results
    assert facts["tools"][0]["share"] == round(results / sum(counted.tokens), 4)
    step = counted.tokens[1] + counted.tokens[2]
    assert facts["steps"] == {"p50": step, "p95": step, "max": {"call": 2, "tokens": step}}
