"""`windowkeeper refusals` and `windowkeeper dropped` as a user types them (spec/6, spec/8)."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.running import POLICY, ROOT, TRANSCRIPT, Cli, process
from tests.report.made import fits
from windowkeeper_cli.cli.complete import counters
from windowkeeper_cli.cli.completion.answer import answer
from windowkeeper_cli.policy.presets import PRESETS
from windowkeeper_cli.strategies import STRATEGIES

OTHER = "fixtures/redis-auth/transcript.json"
CHARS = ("--counter", "chars:4")
SLIDING = ("-p", "sliding-window", "--set", "slidingWindow.keepRecentTurns=4")
OWN = "./fixtures/strategies/every_tenth.py:EveryTenth"
REPORTS = ("refusals", "dropped")
NEEDED = {
    "sliding-window": ("slidingWindow.keepRecentTurns", "4"),
    "sliding-tokens": ("slidingTokens.maxTokens", "500"),
    "token-budget": ("tokenBudget.thresholdTokens", "500"),
    "summarize-oldest": ("summarizeOldest.thresholdTokens", "500"),
}
"""The keys that have no default (spec/3), with a value that makes the fixture act."""


def needs(strategy: str) -> tuple[str, ...]:
    """Return the options that a strategy cannot do without."""
    return ("--set", "=".join(NEEDED[strategy])) if strategy in NEEDED else ()


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("strategy", STRATEGIES.names)
def test_every_strategy_has_both_reports(cli: Cli, report: str, strategy: str) -> None:
    words = (report, TRANSCRIPT, "-p", strategy, *needs(strategy), *CHARS)
    done = cli(*words, "--width", "100")
    assert (done.code, done.err) == (0, "")
    # spec/8: the header says which mode a report is in.
    assert ("RECORDED: what the harness itself did" if strategy == "recorded" else f"WHAT-IF {strategy}") in done.text
    document = json.loads(cli(*words, "-f", "json").out)
    fits(document)
    assert document["policy"]["strategy"] == strategy


@pytest.mark.parametrize("report", REPORTS)
def test_a_strategy_of_the_users_own_has_both_reports(cli: Cli, report: str) -> None:
    document = json.loads(cli(report, TRANSCRIPT, "-p", OWN, "-f", "json").out)
    fits(document)
    assert document["policy"]["from"] == "own"
    assert f"WHAT-IF {OWN}" in cli(report, TRANSCRIPT, "-p", OWN).text


def test_explain_and_check_of_a_strategy_of_the_users_own_fit_their_schemas(cli: Cli) -> None:
    for command in ("explain", "check"):
        fits(json.loads(cli(command, TRANSCRIPT, "-p", OWN, "-f", "json").out))


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_says_where_its_figures_are_from(cli: Cli, report: str, preset: str) -> None:
    sources = {row["name"]: row for row in json.loads(cli("policy", "list", "-f", "json").out)["policies"]}
    text = cli(report, TRANSCRIPT, "-p", preset, *CHARS).text
    about = sources[preset]
    assert f"\nfigures  {about['from']} ({about['certainty']})\n" in text
    unsure = about["certainty"] in ("second-hand", "read in source")
    assert (f"the preset's figures are {about['certainty']}" in text) is unsure


def test_explain_and_check_say_it_too(cli: Cli) -> None:
    for command in ("explain", "check"):
        assert "\nfigures  Inspect, " in cli(command, TRANSCRIPT, "-p", "inspect-edit").text
    names = json.loads(cli("explain", TRANSCRIPT, "-p", "inspect-edit", "-f", "json").out)["assumptions"]
    assert {"name": "read-in-source-preset", "times": 1} in names


@pytest.mark.parametrize("report", REPORTS)
def test_the_examples_of_help_that_need_no_log_run(cli: Cli, report: str) -> None:
    examples = cli(report, "--help").text.split("Examples\n")[1].split("\n")
    ours = [line.split()[1:] for line in examples if "fixtures/" in line]
    assert ours
    for words in ours:
        assert cli(*words).code == 0


@pytest.mark.parametrize("report", REPORTS)
def test_the_front_page_and_completion_know_the_command(cli: Cli, report: str) -> None:
    assert f"\n  {report} " in cli("--help").text
    assert "--call" in cli(report, "--help").text and "--all-rows" in cli(report, "--help").text
    assert [one.value for one in answer([report[:3]])] == [report]


def test_counters_complete() -> None:
    assert counters("re") == ["reported"]
    assert "chars:N" in counters("")


@pytest.mark.parametrize("report", REPORTS)
def test_the_next_commands_run(cli: Cli, report: str) -> None:
    text = cli(report, TRANSCRIPT, *SLIDING).text
    commands = [line[4:].split() for line in text[text.index("\nnext") + 1 :].strip().split("\n")]
    assert len(commands) == 3
    for words in commands:
        assert words[0] == "windowkeeper"
        assert cli(*words[1:]).code == 0


@pytest.mark.parametrize("report", REPORTS)
def test_call_says_how_much_of_the_session_is_meant(cli: Cli, report: str) -> None:
    assert "call 3\n" in cli(report, TRANSCRIPT, *SLIDING, "--call", "3").text
    assert "call 9 (next)" in cli(report, TRANSCRIPT, *SLIDING).text
    assert "call 8\n" in cli(report, TRANSCRIPT, "-p", POLICY, *CHARS, "--call", "replan").text
    refused = cli(report, TRANSCRIPT, "-p", "none", "--call", "replan")
    assert refused.code == 2 and "no call decided anything" in refused.err


def test_dropped_in_each_of_its_formats(cli: Cli) -> None:
    words = ("dropped", TRANSCRIPT, "-p", POLICY, *CHARS)
    found = json.loads(cli(*words, "-f", "json").out)["observations"]
    assert len(found) == 3
    assert [json.loads(line) for line in cli(*words, "-f", "jsonl").out.splitlines()] == found
    rows = list(csv.DictReader(io.StringIO(cli(*words, "-f", "csv").text, newline="")))
    assert [row["item"] for row in rows] == [row["item"] for row in found]


def test_refusals_has_no_jsonl(cli: Cli) -> None:
    assert cli("refusals", TRANSCRIPT, "-f", "csv").text.startswith("reason,scope,at,item,turn,what,tool,")
    done = cli("refusals", TRANSCRIPT, "-f", "jsonl")
    # spec/8: jsonl is for explain, replay, sessions, gaps and dropped; a report of sheets has md, html and svg too.
    assert (done.code, done.out) == (2, b"")
    assert done.err == "windowkeeper: no format jsonl here; use one of table, json, csv, md, html, svg\n"


@pytest.mark.parametrize("report", REPORTS)
def test_a_pipe_has_no_width_and_a_page_has_one(cli: Cli, report: str) -> None:
    piped, page = (cli(report, TRANSCRIPT, *SLIDING, *more).text for more in ((), ("--width", "80")))
    longest = [max(len(line) for line in text.partition("\nnext")[0].split("\n")) for text in (piped, page)]
    assert longest[0] > 80 >= longest[1]


@pytest.mark.parametrize("report", REPORTS)
def test_standard_input_gets_no_command_that_would_read_it_again(report: str) -> None:
    done = process(report, "-", "-q", *SLIDING, data=(ROOT / TRANSCRIPT).read_bytes())
    assert done.code == 0
    assert "windowkeeper dropped" not in done.text and "windowkeeper recall" not in done.text


@pytest.mark.parametrize("command", ["explain", *REPORTS])
@pytest.mark.parametrize("strategy", ["token-budget", "summarize-oldest"])
def test_what_nothing_measured_is_refused_by_name(cli: Cli, command: str, strategy: str) -> None:
    # spec/6: the fixture reports no usage; counted, never guessed.
    words = (command, TRANSCRIPT, "-p", strategy, *needs(strategy))
    done = cli(*words)
    assert (done.code, done.out) == (2, b"")
    assert done.err == (
        f"windowkeeper: unmeasurable: {strategy} acts on reported tokens, and no call here has any; "
        "--counter estimate accepts an estimate instead\n"
    )
    for counter in ("estimate", "chars:4"):
        assert cli(*words, "--counter", counter).code == 0
    reported = cli(*words, "--counter", "reported")
    assert reported.code == 2
    assert reported.err == (
        "windowkeeper: unmeasurable: --counter reported, and no call of this transcript reports any tokens; "
        "--counter estimate accepts an estimate instead\n"
    )


def test_check_names_what_it_could_not_measure_and_goes_on(cli: Cli) -> None:
    done = cli("check", TRANSCRIPT, OTHER, "-p", "token-budget", *needs("token-budget"))
    assert done.code == 2
    assert f"{TRANSCRIPT}: unmeasurable: token-budget" in done.err
    assert f"{OTHER}: unmeasurable: token-budget" in done.err
    assert done.text.count("error  ") == 2
    assert cli("check", TRANSCRIPT, "-p", "token-budget", *needs("token-budget"), *CHARS).code in (0, 1)


@pytest.mark.parametrize("command", ["explain", "check", *REPORTS])
@pytest.mark.parametrize("strategy", NEEDED)
def test_a_key_without_a_default_is_asked_for_by_name(cli: Cli, command: str, strategy: str) -> None:
    done = cli(command, TRANSCRIPT, "-p", strategy, *CHARS)
    assert done.code == 2
    assert done.err.count("\n") == 1 and NEEDED[strategy][0] in done.err


FAULTS = sorted(path.name for path in (ROOT / "fixtures" / "faults").iterdir())


@pytest.mark.parametrize("fault", FAULTS)
def test_each_known_fault_of_the_reference_is_shown_by_its_fixture(cli: Cli, fault: str) -> None:
    folder = f"fixtures/faults/{fault}"
    assert Path(folder, "WHY").read_text().strip().endswith(".")
    words = ("check", f"{folder}/transcript.json", "-p", f"{folder}/policy.json", "--counter", "estimate")
    document = json.loads(cli(*words, "-f", "json").out)
    fits(document)
    failures = [one for held in document["results"][0]["invariants"] for one in held["failures"]]
    assert {one["fault"] for one in failures} == {fault}
    done = cli(*words)
    assert done.code == 1
    assert f" ({fault})\n" in done.text and f"   {fault}: " in done.text
    rows = list(csv.DictReader(io.StringIO(cli(*words, "-f", "csv").text, newline="")))
    assert [row["fault"] for row in rows if row["ok"] == "false"] == [fault]
    assert {row["fault"] for row in rows if row["ok"] == "true"} == {""}


def test_the_four_faults_of_the_specification_have_a_fixture() -> None:
    assert FAULTS == ["call-split", "current-request-lost", "lone-summary-wedge", "notice-lost"]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("limit", [120, 400, 1500])
def test_the_reducer_commits_none_of_them(cli: Cli, fault: str, limit: int) -> None:
    small = ("--set", f"budget.max={limit}", "--set", "budget.reserve=0", "--set", "protect.recentTurns=1")
    words = ("check", f"fixtures/faults/{fault}/transcript.json", *small, "--counter", "estimate")
    done = cli(*words, "-f", "json")
    assert done.code == 0
    held = json.loads(done.out)["results"][0]["invariants"]
    assert [one["failures"] for one in held] == [[]] * 10


def test_the_wedge_is_in_refusals_too(cli: Cli) -> None:
    folder = "fixtures/faults/lone-summary-wedge"
    done = cli("refusals", f"{folder}/transcript.json", "-p", f"{folder}/policy.json", "--counter", "estimate")
    assert "\nwedge " in done.text and "only-existing-summary, calls " in done.text
    assert "windowkeeper rules only-existing-summary" in done.text


@pytest.mark.parametrize("name", ["only-existing-summary", "summarizer-failed", "replacement-not-smaller"])
def test_rules_explains_the_refusals_that_no_guard_makes(cli: Cli, name: str) -> None:
    done = cli("rules", name)
    assert done.code == 0
    assert f"refusal reason  {name}" in done.text and "\nwhy " in done.text
    assert ("\nexample\n" in done.text) is (name != "summarizer-failed")


@pytest.mark.parametrize("command", ["explain", *REPORTS])
def test_reported_figures_trigger_where_the_transcript_has_them(cli: Cli, tmp_path: Path, command: str) -> None:
    # Call 3 reports 9,000 tokens for a window that holds a few hundred: only the reported counter acts on them.
    messages: list[dict[str, object]] = [{"role": "user", "content": "Check d1"}]
    for number in range(1, 5):
        usage = {"inputTokens": 9_000 if number == 3 else 100 * number, "outputTokens": 5}
        call = {"id": f"c{number}", "name": "read_log", "args": {"n": number}}
        messages.append({"role": "assistant", "content": "", "toolCalls": [call], "usage": usage})
        messages.append({"role": "tool", "toolCallId": f"c{number}", "content": "line " * 200})
    file = tmp_path / "t.json"
    file.write_text(json.dumps({"format": "windowkeeper/1", "messages": messages}))
    own = ("--set", "pins.keepLastToolResults=false", "--set", "tokenBudget.keepRecentTurns=1")
    words = (command, str(file), "-p", "token-budget", "--set", "tokenBudget.thresholdTokens=5000", *own, "--call", "4")
    reported = cli(*words, "--counter", "reported")
    assert reported.code == 0
    assert "the trigger reads what the provider reported for the recorded windows" in reported.text
    assert "tokenBudget.thresholdTokens" in reported.text
    if command == "dropped":
        assert "left     2 of 3 tool results" in reported.text
    estimated = cli(*words, "--counter", "estimate")
    assert "the trigger reads this policy's own windows, as they are counted here" in estimated.text
    if command == "dropped":
        assert "No tool result has left: all 3" in estimated.text
