"""The command `recall`: content alone, pages and documents, notices and summaries at a call (spec/4, spec/8)."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import POLICY, TRANSCRIPT, Cli
from tests.formats.logs import LogFile, call, text
from tests.report.made import fits

REDIS = "fixtures/redis-auth/transcript.json"
KEEPER = (TRANSCRIPT, "-p", POLICY)
FOLDING = ("-p", "summarize-oldest", "--set", "summarizeOldest.thresholdTokens=400", "--counter", "estimate",
           "--set", "summarizeOldest.summaryTokens=40", "--set", "summarizeOldest.keepRecentTurns=1")  # fmt: skip


def document(cli: Cli, command: str, *words: str) -> dict[str, Any]:
    """Return the document that a command prints, after holding it to its schema."""
    done = cli(command, *words, "-f", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    fits(found)
    return found


def inserted(cli: Cli, *words: str, at: str = "next") -> dict[str, Any]:
    """Return the text of ours that `explain` shows at a call."""
    (found,) = document(cli, "explain", *words, "--call", at)["visits"][0]["inserted"]
    return dict(found)


def test_an_item_as_a_document_has_its_content_and_record(cli: Cli) -> None:
    item = "401b06b2ee70"
    found = document(cli, "recall", item, TRANSCRIPT)
    (one,) = found["items"]
    assert (found["id"], found["stands"], found["call"], found["text"]) == (item, "item", None, None)
    assert one["content"].encode() == cli("recall", item, TRANSCRIPT).out
    assert (one["item"], one["role"], one["what"], one["tool"], one["record"]) == (
        item,
        "tool",
        "result",
        "read_log",
        None,
    )
    raw = document(cli, "recall", item[:6], TRANSCRIPT, "--raw")["items"][0]["record"]
    assert raw.encode() == cli("recall", item, TRANSCRIPT, "--raw").out


def test_an_item_as_a_page_is_escaped_and_ends_with_its_trace(cli: Cli) -> None:
    done = cli("recall", "401b06b2ee70", TRANSCRIPT, "-f", "table")
    assert done.code == 0 and b"\x1b" not in done.out and "\\x1b[31mred" in done.text
    assert done.text.endswith(f"next   windowkeeper trace {TRANSCRIPT} 401b06b2ee70\n")
    assert cli("recall", "401b06b2ee70", TRANSCRIPT, "-f", "md").text.startswith("### windowkeeper recall\n")
    for format_ in ("jsonl", "junit", "nonsense"):
        assert cli("recall", "401b06b2ee70", TRANSCRIPT, "-f", format_).code == 2


def test_a_notice_is_what_left_by_a_call(cli: Cli) -> None:
    """By the ledger: what `explain` has as trimmed at the call, no more."""
    notice = inserted(cli, *KEEPER)
    sizes = []
    for at in ("5", "next"):
        standing = document(cli, "explain", *KEEPER, "--call", at)["visits"][0]["decisions"]
        gone = sorted(line["at"] for line in standing if line["action"] == "trim")
        found = document(cli, "recall", notice["item"], *KEEPER, "--call", at)
        assert [one["at"] for one in found["items"]] == gone
        assert (found["stands"], found["text"]) == ("notice", notice["text"])
        sizes.append(len(gone))
    assert 0 < sizes[0] < sizes[1]


def test_a_summary_is_recalled_as_a_trim_list_is(cli: Cli) -> None:
    """Each summary absorbs the one before it, and stands for all that left behind both."""
    lines = [json.loads(line) for line in cli("explain", REDIS, *FOLDING, "--all", "-f", "jsonl").out.splitlines()]
    made = [line for line in lines if line.get("action") == "insert" and line["stands"] == "summary"]
    folded = [(line["call"], line["at"], line["item"]) for line in lines if line.get("action") == "fold"]
    assert len(made) >= 2
    for number, line in enumerate(made):
        by_then = sorted(at for called, at, _ in folded if called <= line["call"])
        found = document(cli, "recall", line["item"], REDIS, *FOLDING)
        assert [one["at"] for one in found["items"]] == by_then
        assert (found["stands"], found["text"]) == ("summary", line["text"])
        last = made[number + 1]["call"] - 1 if number + 1 < len(made) else 15
        assert found["call"] == last
    listed = cli("recall", made[-1]["item"][:6], REDIS, *FOLDING)
    assert listed.code == 0
    for _, _, item in folded:
        assert f"--- {item} (".encode() in listed.out and cli("recall", item, REDIS).out in listed.out
    early = cli("recall", made[-1]["item"], REDIS, *FOLDING, "--call", "2")
    assert (early.code, early.out, early.err.count("\n")) == (2, b"", 1)
    where = f"it stands from call {made[-1]['call']} to call 15; give --call 15"
    assert f"{made[-1]['item']} does not stand at call 2: {where}" in early.err


def test_a_page_of_a_summary_lists_items_and_the_command_for_their_content(cli: Cli) -> None:
    summary = inserted(cli, REDIS, *FOLDING)["item"]
    page = cli("recall", summary, REDIS, *FOLDING, "-f", "table", "--width", "100").text
    assert f"summary {summary}   stands for " in page and "what the summary says" in page
    last = page.partition("\nnext   windowkeeper ")[2]
    assert cli(*shlex.split(last), "--counter", "estimate").out == cli("recall", summary, REDIS, *FOLDING).out


def test_the_harness_own_summary_is_found_where_nobody_chose_a_policy(cli: Cli, tmp_path: Path) -> None:
    log = LogFile("s")
    log.user("Read the plan", uuid="a")
    log.reply("m1", call("c1", "Read", file_path="/p/plan.md"), uuid="b")
    log.result("c1", "the plan of the boat", uuid="c")
    log.reply("m2", text("It is a boat."), uuid="d")
    log.add(
        "system", uuid="e", parent=None, logicalParentUuid="d", subtype="compact_boundary",
        content="Compacted", compactMetadata={"trigger": "auto", "preTokens": 900},
    )  # fmt: skip
    log.user("This session is being continued: a boat.", uuid="f", isCompactSummary=True)
    log.user("And the mast?", uuid="g")
    log.reply("m3", text("Tall."), uuid="h")
    path = tmp_path / "s.jsonl"
    path.write_bytes(log.encoded())
    summary = inserted(cli, str(path))
    assert summary["stands"] == "summary" and "a boat." in summary["text"]
    found = document(cli, "recall", summary["item"], str(path))
    assert (found["mode"], found["stands"]) == ("recorded", "summary")
    assert [one["content"] for one in found["items"]][::2] == ["Read the plan", "the plan of the boat"]
    assert len(found["items"]) == 4
    assert cli("recall", summary["item"], str(path), "-p", "windowkeeper").code == 2


@pytest.mark.parametrize("words", [("ffff00000000",), ("ffff",), ("abc",), ("\x1b[31m00",)])
def test_an_id_that_nothing_has_is_one_line(cli: Cli, words: tuple[str, ...]) -> None:
    done = cli("recall", *words, TRANSCRIPT)
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
    assert "\x1b" not in done.err


def test_a_call_that_is_not_there_is_refused(cli: Cli) -> None:
    done = cli("recall", "ffff00000000", TRANSCRIPT, "--call", "99")
    assert done.code == 2 and "--call 99: no such call" in done.err
