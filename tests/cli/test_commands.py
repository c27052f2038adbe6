"""What each command prints for the small fixture, in each of its formats (spec/8)."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.running import POLICY, ROOT, TRANSCRIPT, Cli, process
from tests.report.made import fits
from windowkeeper_cli.model.ledger import LedgerHead

CHARS = ("--counter", "chars:4")


def test_explain_prints_header_table_refusals_totals_and_next(cli: Cli) -> None:
    done = cli("explain", TRANSCRIPT, "-p", POLICY, "--call", "8", *CHARS)
    assert (done.code, done.err) == (0, "")
    lines = done.text.split("\n")
    assert lines[0].startswith(f"session  {TRANSCRIPT}   8 calls   windowkeeper   WHAT-IF {POLICY} ")
    assert lines[1] == "tokens   929 -> 485 (chars/4)   limit 640   target 330"
    assert "refused to leave at call 8" in done.text
    assert "not in full in this window" in done.text
    assert "assumes  the model's answers are the recorded ones" in done.text
    assert lines[-3].startswith("next   windowkeeper recall ")
    assert lines[-2].split() == ["windowkeeper", "dropped", TRANSCRIPT, "-p", POLICY]


def test_the_next_commands_run(cli: Cli) -> None:
    text = cli("explain", TRANSCRIPT, "-p", POLICY).text
    commands = [line[4:].split() for line in text[text.index("\nnext") + 1 :].strip().split("\n")]
    assert [words[1] for words in commands] == ["recall", "explain", "dropped"]
    for words in commands:
        assert words[0] == "windowkeeper"
        assert cli(*words[1:]).code == 0


def test_explain_as_json_fits_its_schema_and_names_what_it_speaks_of(cli: Cli) -> None:
    document = json.loads(cli("explain", TRANSCRIPT, "-p", POLICY, "-f", "json").out)
    fits(document)
    assert document["transcript"]["path"] == TRANSCRIPT
    assert document["policy"]["from"] == "file"
    assert document["mode"] == "what-if"


def test_all_as_jsonl_is_the_ledger(cli: Cli) -> None:
    lines = cli("explain", TRANSCRIPT, "-p", POLICY, "--all", "-f", "jsonl", *CHARS).out.split(b"\n")
    assert lines[-1] == b""
    head = json.loads(lines[0])
    keys = LedgerHead("", "", "", "", "", "").as_dict()
    assert list(head) == list(keys)
    assert [json.loads(line)["kind"] for line in lines[1:-1]].count("visit") == 2


def test_explain_as_csv_has_one_row_for_each_decision(cli: Cli) -> None:
    done = cli("explain", TRANSCRIPT, "-p", POLICY, "--call", "8", "-f", "csv", *CHARS)
    rows = list(csv.DictReader(io.StringIO(done.text, newline="")))
    assert len(rows) == 8
    assert sum(int(row["tokensAfter"]) - int(row["tokensBefore"]) for row in rows) == 485 - 929


def test_set_without_p_changes_the_default_policy_and_the_header_says_so(cli: Cli) -> None:
    done = cli("explain", TRANSCRIPT, "--set", "budget.max=1000", "--set", "budget.reserve=0")
    assert "WHAT-IF default policy --set budget.max=1000 --set budget.reserve=0" in done.text
    assert "limit 1,000   target 500" in done.text


def test_a_pyproject_table_is_the_policy_where_no_p_is_given(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = str(Path(TRANSCRIPT).resolve())
    (tmp_path / "pyproject.toml").write_text("[tool.windowkeeper.budget]\nmax = 900\nreserve = 0\n")
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    text = cli("explain", transcript).text
    assert "[tool.windowkeeper] of" in text and "limit 900" in text
    document = json.loads(cli("explain", transcript, "-f", "json").out)
    assert document["policy"]["from"] == "pyproject.toml"
    assert "limit 144,000" in cli("explain", transcript, "-p", "windowkeeper").text


def test_info_lists_what_was_loaded(cli: Cli) -> None:
    done = cli("info", TRANSCRIPT, "--width", "80")
    assert done.code == 0
    assert "its format says windowkeeper/1" in done.text
    assert "8 in this transcript" in done.text
    assert max(len(line) for line in done.text.split("\n")[:-2]) <= 80
    fits(json.loads(cli("info", TRANSCRIPT, "-f", "json").out))
    assert cli("info", TRANSCRIPT, "-f", "csv").text.startswith("tool,calls,tokens,share,errors,repeats\r\n")


def test_check_holds_for_the_fixture(cli: Cli) -> None:
    done = cli("check", TRANSCRIPT, "-p", POLICY)
    assert done.code == 0
    assert f"ok  {TRANSCRIPT}  invariants 10 of 10 hold at 9 visits" in done.text
    fits(json.loads(cli("check", TRANSCRIPT, "-f", "json").out))


def test_check_names_a_damaged_file_checks_the_rest_and_ends_with_2(cli: Cli, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "windowkeeper/1",\n "messages": [{"role": "user",')
    done = cli("check", str(bad), TRANSCRIPT)
    assert done.code == 2
    assert f"windowkeeper: warning: {bad}:" in done.err
    assert f"ok     {TRANSCRIPT}" in done.text and "error  " in done.text


def test_findings_warn_and_are_an_error_only_when_strict(cli: Cli, tmp_path: Path) -> None:
    orphan = tmp_path / "orphan.json"
    messages = [{"role": "user", "content": "x"}, {"role": "tool", "toolCallId": "c9", "content": "y"}]
    orphan.write_text(json.dumps({"format": "windowkeeper/1", "messages": messages}))
    done = cli("check", str(orphan))
    assert done.code == 0 and "orphan-tool-result" in done.text
    assert cli("check", str(orphan), "--strict").code == 1
    assert "orphan-tool-result" in cli("explain", str(orphan)).err
    assert cli("explain", str(orphan), "-q").err == ""


def test_recall_gives_the_content_byte_for_byte(cli: Cli) -> None:
    messages = json.loads(Path(TRANSCRIPT).read_text())["messages"]
    document = json.loads(cli("explain", TRANSCRIPT, "--call", "1", "-f", "json").out)
    assert document["visits"][0]["decisions"] == []
    rows = json.loads(cli("explain", TRANSCRIPT, "-p", POLICY, "-f", "json", *CHARS).out)["visits"][0]["decisions"]
    results = [row for row in rows if row["what"] == "result"]
    assert results
    for row in results:
        assert cli("recall", row["item"], TRANSCRIPT).out == messages[row["at"] - 1]["content"].encode()


def test_recall_of_a_notice_lists_what_left(cli: Cli) -> None:
    visits = json.loads(cli("explain", TRANSCRIPT, "-p", POLICY, "-f", "json", *CHARS).out)["visits"]
    notice = visits[0]["inserted"][0]["item"]
    done = cli("recall", notice[:6], TRANSCRIPT, "-p", POLICY, *CHARS)
    assert done.code == 0
    for row in visits[0]["decisions"]:
        if row["action"] == "trim":
            assert f"--- {row['item']} (" in done.text


def test_standard_input_is_a_transcript() -> None:
    done = process("explain", "-", "-q", data=(ROOT / TRANSCRIPT).read_bytes())
    assert done.code == 0
    assert done.text.startswith("session  <stdin>   8 calls")
    assert "\nnext" not in done.text


def test_rules_shows_one_entry_with_its_example(cli: Cli) -> None:
    done = cli("rules", "toolResults.evictAfterTurns")
    assert done.code == 0
    assert "\nwhy " in done.text and "\nexample\n" in done.text and "the decision evict on item" in done.text


def test_color_always_colours_and_no_color_never_does(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"\x1b[" in cli("rules", "--color", "always").out
    assert b"\x1b[" not in cli("rules").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert b"\x1b[" in cli("rules").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert b"\x1b[" not in cli("rules").out


def test_all_visits_have_a_table_of_visits_and_one_for_each(cli: Cli) -> None:
    done = cli("explain", TRANSCRIPT, "-p", POLICY, "--all", *CHARS)
    assert "visits   engaged at 2 of 9 calls (the next one included)" in done.text
    assert "   8  budget     929 -> 485    8         0         0        8" in done.text
    assert "\ncall 7\n" in done.text and "\ncall 8\n" in done.text
    nothing = cli("explain", TRANSCRIPT, "-p", "none", "--all")
    assert "No visit engaged: nothing ever left the window." in nothing.text


def test_a_strategy_without_a_limit_says_that_it_keeps_everything(cli: Cli) -> None:
    assert "the strategy none keeps every item in the window" in cli("explain", TRANSCRIPT, "-p", "none").text


def test_verbose_gives_every_finding_a_line_of_its_own(cli: Cli, tmp_path: Path) -> None:
    odd = tmp_path / "odd.json"
    messages: list[dict[str, object]] = [{"role": "user", "content": "x"}]
    messages += [{"role": "tool", "toolCallId": f"c{number}", "content": "y"} for number in range(5)]
    odd.write_text(json.dumps({"format": "windowkeeper/1", "messages": messages}))
    brief, verbose = cli("explain", str(odd)).err, cli("explain", str(odd), "-v").err
    assert brief.count("\n") == 1 and "5 of them" in brief
    assert verbose.count("\n") == 5


def test_recall_to_a_file_is_byte_for_byte(cli: Cli, tmp_path: Path) -> None:
    text = "a\r\n\x00\x1b[31m \u202e"
    source, target = tmp_path / "t.json", tmp_path / "out"
    source.write_text(json.dumps({"format": "windowkeeper/1", "messages": [{"role": "user", "content": text}]}))
    found = cli("recall", "ffffffffffff", str(source)).err
    item = found[found.index("nearest are ") + len("nearest are ") :][:12]
    assert cli("recall", item, str(source), "-o", str(target)).code == 0
    assert target.read_bytes() == text.encode()
    assert text.encode("unicode_escape")[:1] in cli("recall", item, str(source), "--raw").out
