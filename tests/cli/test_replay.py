"""`windowkeeper replay` as a user types it: policies, limits, folders, damage, endings (spec/3, spec/7, spec/8)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import POLICY, ROOT, TRANSCRIPT, Cli, process
from tests.report.made import fits
from windowkeeper_cli.cli import batch
from windowkeeper_cli.cli.parallel import shared

REDIS = "fixtures/redis-auth/transcript.json"
OWN = "./fixtures/strategies/every_tenth.py:EveryTenth"
LOGS = ROOT.parent / "shared" / "sessions" / "claude-code"
USUAL = ["none", "sliding-tokens", "clear-tool-results", "token-budget", "summarize-oldest", "tiered", "windowkeeper"]
"""The rows of one session whose log holds no removals (spec/7)."""


def document(cli: Cli, *words: str) -> dict[str, Any]:
    """Return the document that a command prints, after holding it to its schema."""
    done = cli("replay", *words, "-f", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    fits(found)
    return found


def names(found: dict[str, Any]) -> list[str]:
    """Return the policies of the rows."""
    return [row["policy"] for row in found["rows"]]


def test_one_session_has_the_usual_rows_at_the_default_policys_limit(cli: Cli) -> None:
    found = document(cli, REDIS, "--counter", "estimate")
    assert names(found) == USUAL
    assert found["limit"] == 144_000
    assert "default-limit" in [one["name"] for one in found["assumptions"]]
    assert "nobody gave a limit: 144,000 tokens" in cli("replay", REDIS).text


def test_set_changes_the_default_policys_limit_and_every_policy(cli: Cli) -> None:
    found = document(cli, REDIS, "--set", "budget.max=5000", "--set", "budget.reserve=500")
    assert found["limit"] == 4_500
    clear = document(cli, REDIS, "--limit", "4500", "-p", "clear-tool-results", "--set", "clearToolResults.keep=0")
    usual = document(cli, REDIS, "--limit", "4500", "-p", "clear-tool-results")
    assert clear["rows"][0]["observationsLeft"] > usual["rows"][0]["observationsLeft"]


def test_policies_are_rows_in_order_and_a_limit_is_for_all(cli: Cli) -> None:
    found = document(cli, REDIS, "-p", POLICY, "-p", "none", "-p", "windowkeeper-idle", "-p", OWN, "--limit", "5k")
    assert names(found) == [POLICY, "none", "windowkeeper-idle", OWN]
    assert (found["limit"], found["rows"][1]["callsOverLimit"]) == (5_000, 8)


def test_without_a_limit_a_named_policy_has_its_own(cli: Cli) -> None:
    found = document(cli, REDIS, "-p", "none")
    assert (found["limit"], found["rows"][0]["callsOverLimit"]) == (None, 0)


def test_a_row_that_cannot_run_refuses_by_name_and_the_others_run(cli: Cli) -> None:
    found = document(cli, REDIS, "-p", "sliding-window", "-p", "sliding-tokens", "-p", "token-budget", "-p", "none")
    refused = [row["refused"] for row in found["rows"]]
    assert refused[0].startswith("sliding-window has no default for slidingWindow.keepRecentTurns")
    assert refused[1].startswith("sliding-tokens has no default for slidingTokens.maxTokens")
    assert refused[3] is None
    counted = document(cli, REDIS, "-p", "token-budget", "-p", "none", "--limit", "5k")
    assert counted["rows"][0]["refused"].startswith("unmeasurable: token-budget")
    assert (
        document(cli, REDIS, "-p", "token-budget", "--limit", "5k", "--counter", "estimate")["rows"][0]["calls"] == 14
    )


def test_where_no_row_runs_it_is_an_error(cli: Cli) -> None:
    done = cli("replay", REDIS, "-p", "sliding-window", "-p", "recorded")
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1
    assert "no policy could be replayed: sliding-window: " in done.err and "recorded: this log holds no" in done.err


def test_several_sessions_have_what_was_recorded_and_the_default_policy(cli: Cli) -> None:
    found = document(cli, REDIS, TRANSCRIPT)
    assert names(found) == ["recorded", "windowkeeper"]
    assert [one["path"] for one in found["sessions"]] == [REDIS, TRANSCRIPT]
    assert found["rows"][1]["calls"] == sum(one["calls"] for one in found["sessions"])


def test_against_names_the_row_that_others_are_compared_with(cli: Cli) -> None:
    words = ("replay", REDIS, "-p", "none", "-p", "windowkeeper", "--limit", "5k")
    assert "vs none" in cli(*words).text
    assert "vs windowkeeper" in cli(*words, "--against", "windowkeeper").text
    refused = cli(*words, "-p", "sliding-window", "--against", "tiered")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "the rows are none, windowkeeper, sliding-window" in refused.err


def test_by_call_gives_the_series_and_charts(cli: Cli) -> None:
    words = ("replay", REDIS, "-p", "none", "-p", "windowkeeper", "--limit", "5k", "--by-call")
    lines = [json.loads(line) for line in cli(*words, "-f", "jsonl").out.splitlines()]
    assert [line["call"] for line in lines] == [*range(1, 15), *range(1, 15)]
    rows = document(cli, *words[1:])["rows"]
    assert sum(line["window"] for line in lines[:14]) == rows[0]["windowTokens"]
    assert sum(line["replan"] for line in lines[14:]) == rows[1]["replans"]
    assert cli(*words).text.count("tokens of the window by call under") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--limit", "0"), "--limit 0: no number of tokens"),
        (("--limit", "60q"), "--limit 60q: no number of tokens"),
        (("--limit", "-5"), "no number of tokens"),
        (("--limit", "6.5k"), "--limit 6.5k: no number of tokens"),
        (("--limit", "٦k"), "no number of tokens"),
        (("--cache-ttl", "7m"), "--cache-ttl 7m: no such lifetime; use one of off, 5m, 1h"),
        (("--against", "nobody"), "--against nobody: no such row"),
        (("-p", "none", "-p", "none"), "-p none is given twice"),
        (("-p", "nowhere"), "there is no built-in policy of that name"),
        (("-p", "./missing.json"), "./missing.json"),
        (("--set", "budget.maxx=5"), "budget.maxx"),
        (("--counter", "abacus"), "unknown counter"),
        (("--min-calls", "99"), "no session there fits"),
        (("--since", "whenever"), "--since"),
        (("-f", "png"), "unknown format"),
        (("-o", "."), "is a folder"),
        (("--from", "codex-x"), "codex-x"),
    ],
)
def test_bad_arguments_are_one_line(cli: Cli, words: tuple[str, ...], said: str) -> None:
    done = cli("replay", REDIS, *words)
    assert (done.code, done.out) == (2, b"")
    assert said in done.err and done.err.count("\n") == 1


def folder(place: Path) -> Path:
    """Return a folder with two sessions, a damaged file and a foreign one."""
    made = place / "logs"
    made.mkdir()
    shutil.copy(ROOT / REDIS, made / "a.json")
    shutil.copy(ROOT / TRANSCRIPT, made / "b.json")
    (made / "broken.jsonl").write_text('{"type": "user"', "utf-8")
    (made / "package.json").write_text('{"name": "x"}', "utf-8")
    return made


def test_a_damaged_and_a_foreign_file_are_named_and_stop_nothing(cli: Cli, tmp_path: Path) -> None:
    logs = folder(tmp_path)
    done = cli("replay", str(logs), "-p", "none", "-f", "json")
    found = json.loads(done.out)
    fits(found)
    assert done.code == 0
    assert [Path(one["path"]).name for one in found["sessions"]] == ["a.json", "b.json"]
    assert [Path(one["path"]).name for one in found["skipped"]] == ["broken.jsonl", "package.json"]
    assert done.err.count("\n") == 2 and "broken.jsonl" in done.err and "package.json" in done.err
    assert cli("replay", str(logs), "-p", "none", "-q").err == ""


def test_a_folder_where_nothing_can_be_read_is_an_error(cli: Cli, tmp_path: Path) -> None:
    logs = folder(tmp_path)
    (logs / "a.json").unlink()
    (logs / "b.json").unlink()
    done = cli("replay", str(logs))
    assert (done.code, done.out) == (2, b"")
    assert "none of 2 sessions can be replayed" in done.err


def test_an_empty_or_missing_folder_is_an_error(cli: Cli, tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "missing"):
        done = cli("replay", str(name))
        assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)


def test_one_damaged_file_alone_is_its_own_error(cli: Cli, tmp_path: Path) -> None:
    logs = folder(tmp_path)
    done = cli("replay", str(logs / "broken.jsonl"))
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
    assert "broken.jsonl:1" in done.err


def test_a_session_without_a_call_is_no_row_of_zeros(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "asked.json"
    file.write_text('{"format": "windowkeeper/1", "messages": [{"role": "user", "content": "Go"}]}', "utf-8")
    done = cli("replay", str(file))
    assert (done.code, done.out) == (2, b"")
    assert "it records no call" in done.err
    assert document(cli, str(file), REDIS, "-q", "-p", "none")["skipped"][0]["why"] == "it records no call"


def test_a_path_given_twice_is_one_session(cli: Cli) -> None:
    found = document(cli, REDIS, f"./{REDIS}", "-p", "none")
    assert len(found["sessions"]) == 1
    assert found["skipped"] == [{"path": f"./{REDIS}", "why": "named twice"}]


def test_min_calls_passes_over_shorter_sessions_and_says_how_many(cli: Cli, tmp_path: Path) -> None:
    logs = folder(tmp_path)
    words = (str(logs), "-p", "none", "--min-calls", "10", "-q")
    assert [one["calls"] for one in document(cli, *words)["sessions"]] == [14]
    assert "1 other passed over, as asked" in cli("replay", *words).text


def test_several_processes_give_the_same_bytes(cli: Cli, tmp_path: Path) -> None:
    logs = folder(tmp_path)
    words = ("replay", str(logs), "-q", "--limit", "5k", "-f", "json")
    assert cli(*words, "-j", "2").out == cli(*words).out


def test_the_same_bytes_under_another_hash_seed(cli: Cli) -> None:
    words = ("replay", REDIS, "--limit", "5k", "--counter", "estimate", "-f", "json")
    assert process(*words, PYTHONHASHSEED="7").out == process(*words, PYTHONHASHSEED="11").out == cli(*words).out


def test_timing_is_on_standard_error_alone(cli: Cli) -> None:
    words = ("replay", REDIS, "-p", "none", "-p", "windowkeeper", "-f", "json")
    done = cli(*words, "--timing")
    assert done.out == cli(*words).out
    assert [line.split()[2] for line in done.err.splitlines()] == ["loading", "none", "windowkeeper"]


def test_an_interruption_shows_what_is_finished(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaking(*args: Any) -> Any:
        yield next(iter(shared(*args)))
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "shared", breaking)
    done = cli("replay", REDIS, TRANSCRIPT, "-p", "none")
    assert done.code == 130
    assert "PARTIAL: interrupted, 1 more not reached" in done.text


def test_standard_input_is_a_session() -> None:
    done = process("replay", "-", "-p", "none", "-f", "json", data=(ROOT / REDIS).read_bytes())
    assert json.loads(done.out)["rows"][0]["calls"] == 14


def test_an_input_is_never_written_to(cli: Cli, tmp_path: Path) -> None:
    logs = folder(tmp_path)
    before = (logs / "a.json").read_bytes()
    done = cli("replay", str(logs), "-o", str(logs / "a.json"))
    assert done.code == 2 and (logs / "a.json").read_bytes() == before


def test_hostile_file_names_and_policies_are_shown_escaped(cli: Cli, tmp_path: Path) -> None:
    name = tmp_path / "a\x1b[31m[bold]\u202e.json"
    shutil.copy(ROOT / REDIS, name)
    done = cli("replay", str(name), TRANSCRIPT, "-p", "none")
    assert done.code == 0
    assert b"\x1b" not in done.out and "\u202e".encode() not in done.out and b"[bold]" in done.out
    wrong = cli("replay", REDIS, "-p", "x\x1b[2J")
    assert wrong.code == 2 and "\x1b" not in wrong.err


@pytest.mark.skipif(not LOGS.is_dir(), reason="the real logs are not there")
def test_a_log_with_removals_has_a_recorded_row_with_reported_figures(cli: Cli) -> None:
    log = str(LOGS / "cc-2.1.17-131calls-2microcompact-websearch.jsonl")
    found = document(cli, log, "--limit", "60k")
    assert names(found) == ["recorded", *USUAL]
    assert "reported-figures" in [one["name"] for one in found["assumptions"]]
    assert "unseen prefix on top" in cli("replay", log, "--limit", "60k").text
    assert all(row["refused"] is None for row in found["rows"])
    assert next(row for row in found["rows"] if row["policy"] == "windowkeeper")["itemsLost"] == 0


@pytest.mark.skipif(not LOGS.is_dir(), reason="the real logs are not there")
def test_no_limit_is_passed_where_the_prefix_is_on_top(cli: Cli) -> None:
    log = str(LOGS / "cc-2.1.17-131calls-2microcompact-websearch.jsonl")
    found = document(cli, log, "-p", "sliding-tokens", "--limit", "60k")
    prefix = found["tokens"]["unseenPrefix"]
    assert prefix > 10_000
    assert 60_000 < found["rows"][0]["peak"] <= 60_000 + prefix
