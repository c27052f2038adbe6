"""The manual: made from the texts in the code, and shown by `windowkeeper man` (spec/8, spec/9)."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.cli.running import ROOT, Cli
from tests.house import PACKAGE, modules
from tests.man import MAN, made
from windowkeeper_cli import __version__
from windowkeeper_cli.cli.manual import ledger, policy, transcript
from windowkeeper_cli.cli.manual.mdoc import DAY
from windowkeeper_cli.cli.manual.pages import page_of, ref_named, refs, short_name
from windowkeeper_cli.cli.manual.plain import plain
from windowkeeper_cli.cli.surroundings import VARIABLES
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.decision import Form, Refusal
from windowkeeper_cli.model.ledger import DecisionLine, LedgerHead, VisitLine, refusal_dict
from windowkeeper_cli.report.schemas import schema_names

PAGES = made()
SOURCES = pytest.mark.parametrize("name", PAGES)
ORDER = ("NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO")
"""The conventional sections in their order, from mdoc(7)."""
REQUESTS = {"Dd", "Dt", "Os", "Sh", "Ss", "Nm", "Nd", "Cm", "Ar", "Op", "Pp", "Bl", "It", "El", "Bd", "Ed", "Xr"}


def test_the_files_are_what_the_code_says_now() -> None:
    files = {str(path.relative_to(MAN)): path.read_text("utf-8") for path in MAN.glob("*/*")}
    assert sorted(files) == sorted(PAGES)
    stale = [name for name, text in PAGES.items() if files[name] != text]
    assert not stale, "python -m tests.man writes them anew"


@SOURCES
@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not here")
def test_mandoc_finds_nothing(name: str) -> None:
    done = subprocess.run(
        ["mandoc", "-Tlint", "-W", "warning"], input=PAGES[name], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@SOURCES
def test_a_page_is_well_made(name: str) -> None:
    lines = PAGES[name].split("\n")
    title = Path(name).name.rpartition(".")
    assert lines[1] == f".Dt {title[0].upper()} {title[2]}"
    assert [line[:3] for line in lines[:3]] == [".Dd", ".Dt", ".Os"]
    assert lines[3:5] == [".Sh NAME", f".Nm {title[0]}"]
    assert PAGES[name].isascii() and lines[-1] == "" and "" not in lines[:-1]
    macros = [line[1:].split(" ")[0] for line in lines if line.startswith(".")]
    assert set(macros) <= REQUESTS
    assert not [line for line in lines if line.startswith("'")]
    assert macros.count("Bl") == macros.count("El") and macros.count("Bd") == macros.count("Ed")
    sections = [line[4:] for line in lines if line.startswith(".Sh ")]
    usual = [section for section in sections if section in ORDER]
    assert usual == [section for section in ORDER if section in sections]
    named = re.findall(r"^\.Xr (\S+) (\d)", PAGES[name], re.M)
    assert named and {f"man{number}/{page}.{number}" for page, number in named} <= set(PAGES)


def test_the_pages_speak_of_this_version() -> None:
    assert DAY[0] == __version__, "a new version has a day of its own"


def test_every_page_can_be_asked_for_and_is_plain_in_a_pipe(cli: Cli) -> None:
    assert len({short_name(ref) for ref in refs()}) == len(refs())
    for ref in refs():
        done = cli("man", short_name(ref))
        assert (done.code, done.err) == (0, "")
        assert done.text == plain(page_of(ref), 80)
        assert "\x1b" not in done.text and "\b" not in done.text


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("explain", "windowkeeper-explain.1"),
        ("windowkeeper", "windowkeeper.1"),
        ("policy", "windowkeeper-policy.1"),
        ("policy(5)", "windowkeeper-policy.5"),
        ("policy.5", "windowkeeper-policy.5"),
        ("policy show", "windowkeeper-policy-show.1"),
        ("windowkeeper-rules(7)", "windowkeeper-rules.7"),
        ("ledger", "windowkeeper-ledger.5"),
    ],
)
def test_a_page_has_the_names_that_one_would_type(asked: str, page: str) -> None:
    assert ref_named(asked).file == page


def test_source_is_the_file(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "page.1"
    assert cli("man", "explain", "--source", "-o", str(file)).out == b""
    assert file.read_text("utf-8") == PAGES["man1/windowkeeper-explain.1"]


def test_an_unknown_page_names_the_nearest(cli: Cli) -> None:
    done = cli("man", "sesions")
    assert (done.code, done.out) == (2, b"")
    assert done.err == "windowkeeper: no manual page sesions; did you mean sessions?\n"
    assert "windowkeeper-explain(1)" in cli("man", "qqqq").err


def test_schemas_are_printed_as_they_are_shipped(cli: Cli) -> None:
    assert {"explain", "replay", "check", "by-call"} <= set(schema_names())
    for name in schema_names():
        assert cli("man", "--schema", name).text == (PACKAGE / "report" / "schemas" / f"{name}.json").read_text("utf-8")
    done = cli("man", "--schema", "../explain")
    assert done.code == 2 and "known: archive-export, archive-list" in done.err
    assert cli("man", "explain", "--schema", "explain").code == 2


@pytest.mark.parametrize("code", [0, 1])
def test_on_a_terminal_man_shows_it_and_plain_text_where_man_cannot(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    taken = tmp_path / "taken"
    viewer = tmp_path / "man"
    viewer.write_text(f'#!/bin/sh\necho "$@" > {taken}.words\ncat > {taken}\nexit {code}\n')
    viewer.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("windowkeeper_cli.cli.man.is_terminal", lambda stream: stream is not None)
    monkeypatch.setenv("COLUMNS", "90")
    done = cli("man", "info")
    assert done.code == 0
    assert taken.read_text("utf-8") == PAGES["man1/windowkeeper-info.1"]
    assert Path(f"{taken}.words").read_text() == "-l -\n"
    assert done.text == ("" if code == 0 else plain(page_of(ref_named("info")), 90))


def test_on_a_terminal_without_man_it_is_plain_text(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None if name == "man" else name)
    monkeypatch.setattr("windowkeeper_cli.cli.man.is_terminal", lambda stream: stream is not None)
    monkeypatch.setenv("COLUMNS", "300")
    assert cli("man", "info").text == plain(page_of(ref_named("info")), 100)


def test_the_ledger_page_has_the_keys_of_the_lines_in_their_order() -> None:
    refusal = Refusal("pinned", 0, 1, 2, "turn", 3, 4)
    decision = DecisionLine(1, "evict", "r", "id", 1, 0, 1, 2, "notice", 3, "t", "x", (0, 1, 2), "d", {"r": 1}, ("a",))
    visit = VisitLine(1, 1, 1, "budget", 1, 1, 1, 1, 1, 1, 1, (refusal,), {"r": 1}, 1)
    lines = (
        (ledger.HEAD, LedgerHead("", "", "", "", "", "").as_dict()),
        (ledger.DECISION, decision.as_dict()),
        (ledger.VISIT, visit.as_dict()),
        (ledger.REFUSAL, refusal_dict(refusal)),
    )
    for told, line in lines:
        assert [key for key, _ in told] == list(line)
    assert Form.STUB.name.lower() in plain(page_of(ref_named("ledger")), 80).lower()


def test_the_ledger_page_shows_a_line_of_a_real_ledger() -> None:
    golden = (ROOT / "fixtures" / "small-explain" / "ledger.jsonl").read_text("utf-8")
    assert json.loads(ledger.EXAMPLE) in [json.loads(line) for line in golden.splitlines()]


def test_the_transcript_page_has_the_keys_that_are_read() -> None:
    """A key is read by `.get("key")`, `string_or_none(value, "key")` or `figure("key")` in the reader of the format."""
    told = {key for table in (transcript.TOP, transcript.MESSAGE, transcript.USAGE) for key, _ in table}
    tree = ast.parse((PACKAGE / "formats" / "own_messages.py").read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    read = set()
    for call in calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in ("get", "string_or_none", "figure"):
            read |= {arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    inside = {"id", "name", "args", "checkIn", "", "windowkeeper/1"}
    assert read - inside <= told, "keys that the page does not tell of"
    assert told - read <= {"messages", "agent", "events", "authoredBy", "expands", "outputFinal", "reasoningTokens"}


def test_the_transcript_page_shows_one_that_loads() -> None:
    loaded = loads(transcript.EXAMPLE.encode(), "example.json")
    assert (loaded.format, len(loaded.items), len(loaded.calls), loaded.findings) == ("windowkeeper", 4, 1, ())


def test_the_policy_page_shows_one_that_is_in_order(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(policy.EXAMPLE, "utf-8")
    assert cli("policy", "check", str(file)).code == 0


def test_every_variable_that_is_read_is_told_of() -> None:
    """Read is what `os.environ` or its `get` is asked for by a literal; what shells set to complete is ours."""
    read = set()
    for module in modules():
        for node in ast.walk(module.tree):
            call = isinstance(node, ast.Call) and ast.unparse(node.func) in ("os.environ.get", "os.getenv")
            if call or (isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ"):
                first = node.args[0] if isinstance(node, ast.Call) else node.slice  # type: ignore[attr-defined]
                read |= {first.value} if isinstance(first, ast.Constant) else set()
    assert read == {name for name, _ in VARIABLES}


def test_the_wheel_takes_the_pages_along() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"] == {"man": "share/man"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not here")
@pytest.mark.parametrize("width", [50, 78])
def test_groff_cuts_no_name_that_one_would_copy(width: int) -> None:
    """What it hyphenates are words of small letters: its hyphen is U+2010, that of a name is a minus."""
    for name, text in PAGES.items():
        command = ["groff", "-Tutf8", "-mdoc", "-P-c", f"-rLL={width}n", "-K", "utf8"]
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
        shown = re.sub(".\b", "", done.stdout.decode())
        assert (done.returncode, done.stderr) == (0, b""), name
        cut = re.findall(r"(\S*)\N{HYPHEN}\n *(\S*)", shown)
        assert not [pair for pair in cut if not re.fullmatch(r"\(?[A-Za-z]?[a-z]+\)?[,.;:]?", "".join(pair))], name
        assert "windowkeeper" not in ["".join(pair) for pair in cut]
