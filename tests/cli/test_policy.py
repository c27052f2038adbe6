"""`windowkeeper policy` as a user types it (spec/3, spec/8)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from windowkeeper_cli.cli.complete import policies, policy_keys
from windowkeeper_cli.cli.process import run

Captured = pytest.CaptureFixture[bytes]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(capture: Captured, *args: str) -> tuple[int, str, str]:
    """Run `windowkeeper policy ARGS`; return the exit code and both streams."""
    code = run(["policy", *args])
    out, err = capture.readouterr()
    return code, out.decode(), err.decode()


def test_list(capsysbinary: Captured) -> None:
    code, out, err = said(capsysbinary, "list", "-f", "json")
    assert (code, err) == (0, "")
    assert [row["name"] for row in json.loads(out)["policies"]][:2] == ["windowkeeper", "none"]


def test_show_default_and_set(capsysbinary: Captured) -> None:
    _, out, _ = said(capsysbinary, "show")
    assert "budget.target                  72,000        half of the limit\n" in out
    code, out, _ = said(capsysbinary, "show", "--set", "strategy=none", "-f", "json")
    document = json.loads(out)
    assert (code, document["policy"]["strategy"], document["reads"]) == (0, "none", [])
    code, out, _ = said(capsysbinary, "show", "-p", "windowkeeper-idle", "-f", "csv")
    assert "budget.idleSeconds,300," in out


def test_show_takes_the_table_of_the_nearest_pyproject(
    capsysbinary: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("pyproject.toml").write_text("[tool.windowkeeper.budget]\nmax = 90000\n", "utf-8")
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    code, out, _ = said(capsysbinary, "show", "-f", "json")
    document = json.loads(out)
    assert (code, document["policy"]["from"], document["limit"]) == (0, "pyproject.toml", 74_000)


def test_check_refuses_a_bound_of_no_figure_with_its_place(capsysbinary: Captured) -> None:
    Path("gate.toml").write_text("[check.max]\ngapz = 2\nitemsLost = 0\n[check.min]\ncacheReuze = 0.9\n", "utf-8")
    code, out, err = said(capsysbinary, "check", "gate.toml")
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["gate.toml:2", "gate.toml:5"]
    assert "gapz" in lines[0] and "did you mean gaps?" in lines[0]
    assert "cacheReuze" in lines[1] and "did you mean cacheReuse?" in lines[1]


def test_check_tells_all_problems_and_exits_2(capsysbinary: Captured) -> None:
    Path("bad.json").write_text('{"budget": {"mx": 1,\n"max": "\\u001b"}, "strategy": "nome"}', "utf-8")
    code, out, err = said(capsysbinary, "check", "bad.json")
    assert (code, out) == (2, "")
    assert err.split("\n") == [
        "windowkeeper: bad.json:1: budget.mx: unknown key; did you mean budget.max?",
        'windowkeeper: bad.json:2: budget.max: found the text "\\x1b"; write a whole number of 1 or more',
        'windowkeeper: bad.json:2: strategy: there is no strategy "nome"; did you mean none?',
        "",
    ]


def test_check_of_a_file_in_order(capsysbinary: Captured) -> None:
    Path("good.toml").write_text("[budget]\nmax = 90000\n", "utf-8")
    code, out, err = said(capsysbinary, "check", "good.toml")
    assert (code, err) == (0, "")
    assert out.startswith("ok  good.toml   strategy windowkeeper   ") and "1 key given" in out
    code, out, _ = said(capsysbinary, "check", "good.toml", "-f", "json")
    assert json.loads(out)["ok"] is True


def test_check_of_a_file_that_is_not_there(capsysbinary: Captured) -> None:
    code, out, err = said(capsysbinary, "check", "missing.json")
    assert (code, out) == (2, "")
    assert err.startswith("windowkeeper: missing.json: ") and err.count("\n") == 1


def test_init_makes_a_file_that_is_in_order_and_valid(capsysbinary: Captured) -> None:
    _, printed, _ = said(capsysbinary, "init")
    assert said(capsysbinary, "init", "-o", "policy.toml") == (0, "", "")
    assert Path("policy.toml").read_text("utf-8") == printed
    code, out, _ = said(capsysbinary, "check", "policy.toml")
    assert code == 0
    default = json.loads(said(capsysbinary, "show", "-f", "json")[1])["policy"]["id"]
    assert default in out
    assert [path.name for path in Path().iterdir()] == ["policy.toml"]


def test_init_into_no_folder_writes_nothing(capsysbinary: Captured) -> None:
    code, _, err = said(capsysbinary, "init", "-o", "missing/policy.toml")
    assert code == 2
    assert err.startswith("windowkeeper: -o missing/policy.toml: no folder missing")


def test_schema_is_a_schema_of_what_init_writes(capsysbinary: Captured) -> None:
    code, out, _ = said(capsysbinary, "schema")
    schema = json.loads(out)
    Draft202012Validator.check_schema(schema)
    assert code == 0
    assert schema["properties"]["strategy"]["enum"][:2] == ["windowkeeper", "none"]
    assert said(capsysbinary, "schema", "-o", "schema.json")[0] == 0
    assert json.loads(Path("schema.json").read_text("utf-8")) == schema


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("show", "-p", "windowkeper"), "-p windowkeper: there is no built-in policy of that name; did you"),
        (("show", "-p", "a.py:mine"), "-p a.py:mine: a strategy of your own has no policy file"),
        (("show", "-p", "none", "-p", "none"), "2 policies given; this command takes one -p"),
        (("show", "--set", "budget.max"), "--set budget.max: budget.max: no value is given"),
        (("show", "-f", "junit"), ""),
        (("list", "-f", "jsonl"), "no format jsonl here; use one of table, json, csv, md"),
        ((), "missing command"),
    ],
)
def test_wrong_arguments_are_one_line_and_2(capsysbinary: Captured, args: tuple[str, ...], line: str) -> None:
    code, out, err = said(capsysbinary, *args)
    assert (code, out) == (2, "")
    assert err.startswith(f"windowkeeper: {line}") and err.count("\n") == 1


def test_completion() -> None:
    assert policies("windowkeeper-") == ["windowkeeper-idle"]
    assert policy_keys("budget.ma") == ["budget.max="]
    assert "strategy=" in policy_keys("")
