"""Help and manual name everything that there is, and the examples of help run (spec/8)."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.running import TRANSCRIPT, Cli
from tests.man import made
from windowkeeper_cli.cli.commands import COMMANDS
from windowkeeper_cli.cli.exit_codes import EXIT_CODES
from windowkeeper_cli.cli.manual.pages import commands
from windowkeeper_cli.cli.surroundings import VARIABLES
from windowkeeper_cli.formats import FORMATS
from windowkeeper_cli.formats.writers import WRITERS
from windowkeeper_cli.policy.keys import KEYS
from windowkeeper_cli.policy.presets import PRESETS
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.replay.acceptance.providers import PROVIDERS
from windowkeeper_cli.report.figures import FIGURES
from windowkeeper_cli.report.rules import FAMILIES, rule_names

COMMAND = {tuple(path.split(" ")[1:]): command for path, command, _ in commands()}
HELPS = pytest.mark.parametrize("call", COMMAND, ids=" ".join)
GIVEN = re.compile(r"fixtures/|^windowkeeper (rules|man|policy)\b")
"""Examples that need nothing but the fixtures."""


def shown(cli: Cli, *words: str) -> str:
    """Return the help of a command."""
    done = cli(*words, "--help")
    assert (done.code, done.err) == (0, "")
    return done.text


def examples(text: str) -> list[str]:
    """Return the examples at the end of a help text."""
    return [line.strip() for line in text.split("\nExamples\n")[1].split("\n\n")[0].splitlines()]


def test_help_and_manual_together_name_everything(cli: Cli) -> None:
    helps = "\n".join([shown(cli), *(shown(cli, *call) for call in COMMAND)])
    pages = "\n".join(made().values()).replace("\\-", "-").replace("\\&", "").replace("\\%", "")
    entries = set(re.findall(r"^\.It Sy (.*)$", pages, re.M))
    explained = {
        "commands": [f"windowkeeper-{name}(1)" for name in COMMANDS.names],
        "rules, reasons, strategies, invariants, acceptance rules, gap kinds": rule_names(),
        "policy keys": [key.path for key in KEYS],
        "presets": PRESETS,
        "formats": RENDERERS.names,
        "exit codes": [str(code) for code, _ in EXIT_CODES],
        "variables": [name for name, _ in VARIABLES],
    }
    assert len(FAMILIES) == 7
    missing = {kind: [name for name in names if name not in entries] for kind, names in explained.items()}
    assert not any(missing.values()), missing
    words = set(re.findall(r"[\w.-]*\w", helps + pages))
    listed = (*FIGURES, *FORMATS.names, *WRITERS.names, *PROVIDERS)
    assert not [name for name in listed if name not in words]


@HELPS
def test_help_and_page_of_a_command_name_each_of_its_options(cli: Cli, call: tuple[str, ...]) -> None:
    command = COMMAND[call]
    text = shown(cli, *call)
    page = made()[f"man1/windowkeeper-{'-'.join(call)}.1"].replace("\\-", "-").replace("\\&", "").replace("Fl ", "-")
    options = [name for param in command.params for name in param.opts if name.startswith("-")]
    for name in [*options, *(["-h", "--help"] if options else [])]:
        assert re.search(rf"(^|[ ,]){name}\b", text, re.M), name
        assert re.search(rf"^\.It .*{name}\b", page, re.M), name


@HELPS
def test_help_tells_the_formats_that_the_command_takes(cli: Cli, call: tuple[str, ...]) -> None:
    text = shown(cli, *call)
    if "--format" not in text:
        return
    told = re.search(r"One of\s+([\w,\s]+?)\.", text)
    assert told is not None
    names = re.split(r",\s+", told[1])
    given = [TRANSCRIPT for param in COMMAND[call].params if param.param_type_name == "argument"]
    refused = next(name for name in RENDERERS.names if name not in names)
    done = cli(*call, *given, "-f", refused)
    assert done.code == 2
    assert done.err == f"windowkeeper: no format {refused} here; use one of {', '.join(names)}\n"


@HELPS
def test_the_examples_of_help_run(cli: Cli, call: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that need fixtures alone are run; -o would write, so it is left out."""
    monkeypatch.delenv("COLUMNS", raising=False)
    ran = 0
    for example in examples(shown(cli, *call)):
        words = shlex.split(example)
        assert tuple(words[: 1 + len(call)]) == ("windowkeeper", *call) or call == ("policy",)
        if not GIVEN.search(example) or "team." in example:
            continue
        if "-o" in words:
            del words[words.index("-o") : words.index("-o") + 2]
        done = cli(*words[1:])
        warnings = [line for line in done.err.splitlines() if line.startswith("windowkeeper: warning: ")]
        assert (done.code, done.err.splitlines()) == (0, warnings), example
        assert done.out
        ran += 1
    assert ran, "no example on real fixtures"


def test_the_front_page_examples_name_commands_and_the_first_runs(cli: Cli) -> None:
    front = examples(shown(cli))
    assert all(example.split()[1] in COMMANDS.names for example in front)
    assert cli(*shlex.split(front[0])[1:]).code == 0


@pytest.mark.parametrize("columns", [20, 80, 140])
def test_help_is_plain_and_fits(cli: Cli, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = shown(cli, "explain")
    body = text.split("\nExamples\n")[0]
    assert max(len(line) for line in body.splitlines()) <= max(60, min(columns, 100))
    assert "\x1b" not in text
    assert not [line for line in text.splitlines() if line != line.rstrip()]
