"""The command line's HTML pages: golden for the small fixture, the same bytes anywhere, hostile sessions as text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Cli, process
from tests.golden_html import COMMANDS, GOLDEN, page
from tests.render.html.test_page import HOSTILE, TAGS
from tests.render.html.told import read


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_is_the_golden_one(name: str) -> None:
    """`python -m tests.golden` writes them anew."""
    assert page(name) == (GOLDEN / f"{name}.html").read_text("utf-8")


def test_a_page_is_the_same_bytes_under_another_hash_seed() -> None:
    command = (*COMMANDS["diff"], "-f", "html")
    first, second = (process(*command, PYTHONHASHSEED=seed) for seed in ("1", "77"))
    assert first.code == 0 and first.out == second.out and first.out.startswith(b"<!doctype html>")


@pytest.mark.parametrize("command", ["info", "rules", "refusals", "gaps", "trace", "check"])
def test_other_reports_have_a_page_of_their_sheet(cli: Cli, command: str) -> None:
    session = "fixtures/small-explain/transcript.json"
    args = {"rules": (), "trace": (session, "logs/d2.log")}.get(command, (session,))
    done = cli(command, *args, "-f", "html")
    reader = read(done.text)
    assert done.text.startswith("<!doctype html>") and f"windowkeeper {command}" in "".join(reader.shown)
    assert {name for name, _ in reader.tags} <= TAGS


def hostile(folder: Path) -> str:
    """Write a session whose every text, name and id is hostile."""
    messages: list[dict[str, object]] = [{"role": "system", "content": " ".join(HOSTILE[:4])}]
    for number, text in enumerate((*HOSTILE, *HOSTILE)):
        text = text.encode("utf-8", "replace").decode()
        call = {"id": f"c{number}", "name": f"t{text}"[:60], "arguments": json.dumps({"path": f"src/{text}.py"})}
        messages += [
            {"role": "user", "content": f"{text} please"},
            {"role": "assistant", "content": text, "toolCalls": [call]},
            {"role": "tool", "toolCallId": f"c{number}", "toolName": call["name"], "content": f"{text} " * 40},
        ]
    path = folder / "<img src=x>&'\u202e.json"
    path.write_text(json.dumps({"format": "windowkeeper/1", "messages": messages}), "utf-8")
    return str(path)


@pytest.mark.parametrize(
    "command",
    [
        ("explain", "--all"),
        ("dropped",),
        ("diff", "-p", "none", "-p", "windowkeeper"),
        ("replay", "-p", "none", "-p", "windowkeeper", "--limit", "1k"),
    ],
)
def test_a_hostile_session_is_only_text(cli: Cli, tmp_path: Path, command: tuple[str, ...]) -> None:
    name, *options = command
    done = cli(name, hostile(tmp_path), *options, "--set", "budget.max=1500", "--set", "budget.reserve=0", "-f", "html")
    assert done.code == 0, done.err
    reader = read(done.text)
    names = [tag for tag, _ in reader.tags]
    assert set(names) <= TAGS and names.count("script") == 2 and names.count("svg") >= 4
    assert not [key for _, attributes in reader.tags for key in attributes if key.startswith("on")]
    shown = "".join(reader.shown)
    assert "<img src=x>&'\\u202e.json" in shown and "<script>pwned=1</script>" in shown
    assert not set(done.text) & {chr(code) for code in (0, 0x1B, 0x202E, 0x2066, 0x2069, 0x9B)}


def test_several_sessions_have_their_figures_and_no_calls(cli: Cli, tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_bytes(Path("fixtures/small-explain/transcript.json").read_bytes())
    done = cli("replay", str(tmp_path / "a.json"), str(tmp_path / "b.json"), "-f", "html")
    assert done.code == 0 and "<table" in done.text and "class=timeline" not in done.text
