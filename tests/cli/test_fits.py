"""Every report fits 80, 100 and 140 columns and any code page, whatever a session holds (spec/8, "How it behaves")."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.hostile import reports, session
from tests.cli.running import POLICY, ROOT, Cli, process
from tests.golden_reports import COMMANDS
from tests.render.svg_reader import lines
from tests.render.test_svg import blackened
from windowkeeper_cli.render.cells import width_of

SGR = re.compile(r"\x1b\[[0-9;]*m")
ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{12}(?![0-9a-f])")
NAMES = tuple(reports("session.json", "policy.json"))
OBEYED = set("\x1b\x9b\u202e\u202c\u200d\r\x00")
AS_IS = re.compile(r" +[0-9]+  \{|(policy|ledger) ")
"""Lines of an example that runs, kept as they are to be copied: of `rules NAME` alone."""


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, tuple[str, ...]]:
    """Commands on a hostile session, with a policy of a long and wide path."""
    folder = tmp_path / "logs"
    folder.mkdir()
    path = session(folder)
    shutil.copy(path, folder / "second.json")
    policy = tmp_path / "方針" / f"{'policy-' * 6}a.json"
    policy.parent.mkdir()
    shutil.copy(ROOT / POLICY, policy)
    return reports(path, str(policy))


def pages(text: str) -> Iterator[str]:
    """Yield the lines that have to fit: all but the commands to type next, which are never broken."""
    for line in text.partition("\nnext   ")[0].split("\n"):
        if not AS_IS.match(line):
            yield line


def test_every_report_is_here() -> None:
    assert {name.partition("-")[0] for name in COMMANDS} == {name.partition("-")[0] for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_report_fits_and_shows_every_id_whole(cli: Cli, commands: dict[str, tuple[str, ...]], name: str) -> None:
    whole = cli(*commands[name]).text
    assert whole and not OBEYED & set(whole)
    for width in (80, 100, 140):
        done = cli(*commands[name], "--width", str(width))
        assert done.code in (0, 1), done.err
        for line in pages(done.text):
            assert width_of(line) <= width, f"{name} at {width}: {line!r}"
        assert set(ID.findall(done.text)) >= set(ID.findall(whole)), name
        assert not OBEYED & set(done.text)


@pytest.mark.parametrize("name", NAMES)
def test_colour_is_never_the_only_mark(cli: Cli, commands: dict[str, tuple[str, ...]], name: str) -> None:
    painted = cli(*commands[name], "--width", "100", "--color", "always").text
    assert SGR.sub("", painted) == cli(*commands[name], "--width", "100", "--color", "never").text


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "cp1252"])
def test_a_narrow_code_page_gets_every_report(commands: dict[str, tuple[str, ...]], encoding: str) -> None:
    """Of what the code page has not, the escape is printed: nothing is lost, and nothing is an error.

    The session's name, an id, is then far wider than the page, and is not cut.
    """
    for name in ("trace-path", "dropped", "replay", "sessions"):
        done = process(*commands[name], "--width", "80", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert done.code == 0 and not done.err, done.err
        text = done.out.decode(encoding)
        assert name == "sessions" or all(len(line) <= 80 for line in pages(text)), name
        assert name == "replay" or "\\u6587" in text or "\\u200d" in text
        assert not {"\x1b", "\x9b"} & set(text)


@pytest.mark.parametrize("name", NAMES)
def test_every_report_is_a_picture_and_markdown(cli: Cli, commands: dict[str, tuple[str, ...]], name: str) -> None:
    drawn = lines(cli(*commands[name], "-f", "svg", "--width", "100").out)
    assert max(map(width_of, drawn)) <= 100
    assert blackened(drawn) == blackened(cli(*commands[name], "--width", "100").text.split("\n"))
    assert cli(*commands[name], "-f", "md").text.startswith(f"### windowkeeper {commands[name][0]}")


@pytest.mark.parametrize("name", NAMES)
def test_every_report_is_one_document(cli: Cli, commands: dict[str, tuple[str, ...]], name: str) -> None:
    out = cli(*commands[name], "-f", "json").text
    assert json.loads(out)["report"].startswith(name.partition("-")[0])
    assert not OBEYED & set(out)
