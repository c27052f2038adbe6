"""`check` as a gate: exit codes, bounds, providers, formats (spec/8)."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.running import Cli
from tests.formats.logs import LogFile, call, text
from tests.report.made import fits
from windowkeeper_cli.cli import check_options

SESSIONS = "fixtures/gate/sessions"
REFUNDS = f"{SESSIONS}/refunds.json"
GATE = ("-p", "fixtures/gate/policy.toml")
SLIDING = ("-p", "sliding-window", "--set", "slidingWindow.keepRecentTurns=7")


@pytest.fixture
def queued(tmp_path: Path) -> str:
    """A log in which a person's message stands between a call and its result; the harness sends the result first."""
    log = LogFile()
    log.user("Look around.")
    log.reply("m1", call("a", path="x"))
    log.user("And be quick.")
    log.result("a", "six lamps")
    for n in range(2, 9):
        log.reply(f"m{n}", call(f"k{n}", path=f"p{n}"))
        log.result(f"k{n}", "seen")
    log.reply("m9", text("done"))
    path = tmp_path / "queued.jsonl"
    path.write_bytes(log.encoded())
    return str(path)


def test_bounds_of_the_policy_file_hold(cli: Cli) -> None:
    done = cli("check", SESSIONS, *GATE)
    assert (done.code, done.err) == (0, "")
    assert done.text.count("anthropic accepts every window; 3 bounds kept") == 2


def test_a_missed_bound_fails_with_its_evidence(cli: Cli) -> None:
    done = cli("check", REFUNDS, *GATE, "--max", "gaps=0", "--min", "cacheReuse=0.99")
    assert done.code == 1
    assert f"FAIL  {REFUNDS}  gaps 1 > 0\n" in done.text
    assert (
        "        call 8  re-read  orders/4471.json   left at 5 by trim.enabled (whole turn); recallable\n" in done.text
    )
    assert f"FAIL  {REFUNDS}  cacheReuse 0." in done.text and " < 0.99\n" in done.text
    assert f"windowkeeper gaps {REFUNDS} -p fixtures/gate/policy.toml" in done.text


def test_bounds_in_the_document(cli: Cli) -> None:
    done = cli("check", REFUNDS, *GATE, "--max", "gaps=0", "-f", "json")
    document = json.loads(done.out)
    fits(document)
    (result,) = document["results"]
    assert done.code == 1 and not document["ok"] and not result["ok"]
    assert {"name": "gaps", "kind": "max", "bound": 0, "value": 1, "ok": False} in result["bounds"]
    assert {"name": "callsOverLimit", "kind": "max", "bound": 0, "value": 0, "ok": True} in result["bounds"]
    assert [(one["provider"], one["ok"], one["reasons"]) for one in result["providers"]] == [("anthropic", True, [])]
    assert document["totals"]["boundsMissed"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--max", "gap=2"), "--max: no figure 'gap'; did you mean gaps? known: calls, windowTokens, "),
        (("--min", "money=2"), "--min: no figure 'money'; known: "),
        (("--max", "gaps"), "--max gaps: not NAME=N; "),
        (("--max", "gaps=many"), "--max gaps=many: not NAME=N; "),
        (("--max", "gaps=nan"), "--max gaps=nan: not NAME=N; "),
        (("--max", "=2"), "--max =2: not NAME=N; "),
        (("--provider", "moon"), "unknown provider 'moon'; known: anthropic, openai-chat, "),
        (("-f", "jsonl"), "no format jsonl here; use one of table, json, csv, md, junit, github"),
    ],
)
def test_wrong_arguments_end_with_2_and_one_line(cli: Cli, arguments: tuple[str, ...], says: str) -> None:
    done = cli("check", REFUNDS, *arguments)
    assert done.code == 2 and done.out == b""
    assert done.err.startswith(f"windowkeeper: {says}") and done.err.count("\n") == 1


def test_an_unknown_figure_in_a_policy_file_is_named(cli: Cli, tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text('{"check": {"max": {"gapz": 0}}}')
    done = cli("check", REFUNDS, "-p", str(policy))
    assert done.code == 2
    assert done.err.startswith(f"windowkeeper: {policy}: check.max: no figure 'gapz'; did you mean gaps? known: ")


def test_a_window_that_the_provider_would_reject_fails(cli: Cli, queued: str) -> None:
    done = cli("check", queued, *SLIDING)
    assert done.code == 1
    said = "anthropic would reject call 8: tool_result a has no tool_use in the message before it   item "
    assert f"FAIL  {queued}  {said}" in " ".join(done.text.splitlines()) and "call-split" in done.text
    document = json.loads(cli("check", queued, *SLIDING, "-f", "json").out)
    fits(document)
    (provider,) = document["results"][0]["providers"]
    assert not provider["ok"]
    assert provider["reasons"] == [
        {
            "call": 8,
            "rule": "result-without-call",
            "at": 3,
            "already": False,
            "text": "tool_result a has no tool_use in the message before it",
        }
    ]


def test_what_the_recorded_window_had_too_only_warns(cli: Cli, queued: str) -> None:
    done = cli("check", queued, "--provider", "openai-chat")
    assert done.code == 0
    assert "openai-chat accepts every window but what the recorded one had too" in done.text
    assert "openai-chat would have rejected the recorded window too: 2 faults, the first at call 2: " in done.text
    document = json.loads(cli("check", queued, "--provider", "openai-chat", "-f", "json").out)
    (provider,) = document["results"][0]["providers"]
    assert provider["ok"] and [reason["already"] for reason in provider["reasons"]] == [True, True]


def test_several_providers_may_be_asked(cli: Cli) -> None:
    done = cli("check", REFUNDS, "--provider", "openai-chat", "--provider", "gemini", "--provider", "gemini")
    assert done.code == 0 and "openai-chat, gemini accept every window" in done.text


def test_a_format_without_a_provider_says_so(cli: Cli) -> None:
    done = cli("check", "fixtures/small-explain/transcript.json")
    assert "no provider is known (--provider NAME asks one)" in done.text


def test_junit_has_a_case_for_each_session_and_kind_of_check(cli: Cli, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "windowkeeper/1",\n "messages": [{"role": "user",')
    done = cli("check", SESSIONS, str(bad), *GATE, "--max", "gaps=0", "-f", "junit", "-q")
    assert (done.code, done.err) == (2, "")
    root = ET.fromstring(done.out)
    found = {suite.get("name"): [(case.get("name"), [child.tag for child in case]) for case in suite] for suite in root}
    kinds = ["invariants", "accepted by anthropic", "max callsOverLimit", "max gaps", "min cacheReuse", "findings"]
    assert found == {
        f"{SESSIONS}/parcels.json": [(kind, []) for kind in kinds],
        REFUNDS: [(kind, ["failure"] if kind == "max gaps" else []) for kind in kinds],
        str(bad): [("loads", ["error"])],
    }


def test_github_annotations_point_at_the_line_of_a_finding(cli: Cli, queued: str) -> None:
    done = cli("check", queued, "-f", "github")
    assert done.code == 0
    assert done.text == f"::warning title=windowkeeper check%3A findings::{queued}: late-tool-result 1 (line 4)\n"
    done = cli("check", queued, "-f", "github", "--strict")
    assert done.code == 1 and done.text.startswith("::error title=windowkeeper check%3A findings::")


def test_the_rows_have_every_kind(cli: Cli) -> None:
    lines = cli("check", REFUNDS, *GATE, "--max", "gaps=0", "-f", "csv").text.splitlines()
    assert lines[0] == "path,session,agent,kind,n,name,ok,givenUp,failures,firstCall,fault,value,bound,text"
    kinds = [line.split(",")[3] for line in lines[1:]]
    assert kinds == [*["invariant"] * 10, "provider", "max", "max", "min"]
    assert any(line.startswith(f"{REFUNDS},refunds,,max,,gaps,false,,1,8,,1,0,") for line in lines)


@pytest.mark.parametrize("name", ["result-without-call", "thinking-kept"])
def test_an_acceptance_rule_explains_itself(cli: Cli, name: str) -> None:
    done = cli("rules", name)
    assert done.code == 0
    assert f"acceptance rule  {name}" in done.text and "anthropic: " in done.text


def test_many_processes_say_the_same(cli: Cli) -> None:
    one, two = (cli("check", SESSIONS, *GATE, "--max", "gaps=0", "-f", "json", "-j", str(n)) for n in (1, 2))
    assert (one.code, one.out) == (two.code, two.out) and one.code == 1


def test_names_are_completed() -> None:
    assert check_options._figures("gaps.r") == ["gaps.reRead=", "gaps.requestLost=", "gaps.recallable="]
    assert check_options._providers("openai-r") == ["openai-responses"]


def test_a_folder_without_a_fitting_session_ends_with_2(cli: Cli) -> None:
    done = cli("check", SESSIONS, "--min-calls", "99")
    assert done.code == 2
    assert done.err == (
        f"windowkeeper: {SESSIONS}: no session to check; ask for less with --since, --project and --min-calls\n"
    )


def test_recorded_is_said_to_be(cli: Cli, queued: str) -> None:
    done = cli("check", queued, "-p", "recorded")
    assert done.code == 0 and "RECORDED: policy recorded" in done.text
    assert json.loads(cli("check", queued, "-p", "recorded", "-f", "json").out)["mode"] == "recorded"
