"""Hostile content in several formats: every command that prints content, in every renderer that it has (spec/10).

`test_fits.py` holds tables to their widths; here the content comes in by other formats, goes out by every renderer, and
stands where formats keep names: ids, tools, models, sessions, times.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import TRANSCRIPT, Cli
from tests.formats.logs import LogFile
from windowkeeper_cli.cli.manual.pages import commands
from windowkeeper_cli.cli.output import known_formats

EVIL = (
    "\x1b[1337;File=a\x07", "\x1b]0;owned\x07", "\x1b]8;;http://evil\x1b\\",
    "\x9b31m", "\x07\x08\x7f\x0b\x0c", "a\rb", "\u202eevil\u202c",
    "\u2066x\u2069", "\u200f\u061c", "[bold red]x[/]", "[link=http://evil]x[/link]",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "]]>", "::error file=x::owned", "%0A::warning::x", "|a|b|\n---",
    "`x` [y](http://evil)",
    "=cmd|' /C calc'!A0", "nul \x00", "\ud800 lone", "\u2028\u2029", "\ufffe", "é\u0301" * 9,
)  # fmt: skip
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]")
SGR = re.compile(r"\x1b\[(?:0|1|2|3|4|22|3[0-9]|9[0-9]|38;[0-9;]+)(?:;[0-9]+)*m")
FEW = ("--set", "budget.max=400", "--set", "budget.reserve=0")
FORMATS = ("own", "claude-code", "anthropic", "openai-chat", "openai-responses", "gemini", "ai-sdk")
WORDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("explain",): ("LOG", *FEW, "--all", "--all-rows"),
    ("trace",): ("LOG", "ID", *FEW),
    ("refusals",): ("LOG", *FEW),
    ("dropped",): ("LOG", *FEW),
    ("gaps",): ("LOG", *FEW),
    ("diff",): ("LOG", "-p", "none", "-p", "windowkeeper", *FEW),
    ("replay",): ("LOG", "-p", "none", "-p", "tiered", "--limit", "400"),
    ("check",): ("LOG", *FEW, "--max", "itemsLost=0", "--provider", "anthropic"),
    ("info",): ("LOG",),
    ("sessions",): ("FOLDER",),
}
KNOWN = {
    tuple(path.split(" ")[1:]): command.about.formats for path, command, _ in commands() if hasattr(command, "about")
}
RENDERED = [(name, format_) for name in WORDS for format_ in known_formats(KNOWN[name])]


def document() -> dict[str, Any]:
    """Return a session in our own format that has each of them in each place."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": EVIL[0]}]
    for number, evil in enumerate(EVIL):
        name = evil if number % 2 else "read_file"
        call = {"id": f"c{evil}{number}", "name": name, "args": {"path": f"src/{evil}.py", evil: evil}}
        messages += [
            {"role": "user", "content": f"Look at src/{evil}.py {evil}", "time": evil, "tags": [evil], "stage": evil},
            {"role": "assistant", "content": evil, "toolCalls": [call], "model": evil, "messageId": evil},
            {"role": "tool", "toolCallId": call["id"], "toolName": name, "content": f"{evil} " * 40},
        ]
    return {"format": "windowkeeper/1", "session": EVIL[1], "agent": None, "messages": messages}


def session_log() -> bytes:
    """Return the same as a session log, with its own names in it."""
    log = LogFile(f"s{EVIL[1]}")
    for number, evil in enumerate(EVIL):
        log.user(f"Look at src/{evil}.py", cwd=evil, version=evil, timestamp=evil, gitBranch=evil)
        use = {"type": "tool_use", "id": f"t{number}{evil}", "name": evil, "input": {"file_path": evil, evil: evil}}
        log.reply(f"m{number}{evil}", {"type": "text", "text": evil}, use, model=evil, stop="tool_use")
        log.result(f"t{number}{evil}", f"{evil} " * 40, toolUseResult=evil)
        log.bare(type=evil, uuid=f"{evil}{number}")
    log.add("system", subtype="compact_boundary", content=evil, compactMetadata={"trigger": EVIL[0], "preTokens": 9})
    log.user(f"summary {EVIL[2]}", isCompactSummary=True)
    return b"".join(json.dumps(line).encode() + b"\n" for line in log.lines)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the session as a file of each format."""
    from windowkeeper_cli.cli.process import run

    folder = tmp_path_factory.mktemp("hostile")
    own = folder / "own.json"
    own.write_text(json.dumps(document()))
    (folder / "claude-code.jsonl").write_bytes(session_log())
    made = {"own": own, "claude-code": folder / "claude-code.jsonl"}
    for name in FORMATS[2:]:
        made[name] = folder / f"{name}.json"
        assert run(["convert", str(own), "--to", name, "-o", str(made[name]), "-q"]) == 0
    return made


def filled(words: tuple[str, ...], log: Path, ident: str = "") -> list[str]:
    return [{"LOG": str(log), "FOLDER": str(log.parent), "ID": ident}.get(word, word) for word in words]


@pytest.mark.parametrize(("name", "format_"), RENDERED, ids=lambda one: one if isinstance(one, str) else " ".join(one))
def test_nothing_that_is_obeyed_is_printed(
    cli: Cli, logs: dict[str, Path], name: tuple[str, ...], format_: str
) -> None:
    for source, log in logs.items():
        found_at = json.loads(cli("explain", str(log), *FEW, "-f", "json").out)["visits"][0]["decisions"]
        items = [one["item"] for one in found_at if one.get("at") is not None]
        words = filled(WORDS[name], log, items[0] if items else "read_file")
        done = cli(*name, *words, "-f", format_)
        assert done.code in (0, 1), (source, done.err)
        text = done.out.decode()
        found = BAD.search(text) if format_ != "csv" else BAD.search(text.replace("\r\n", "\n"))
        assert found is None, (source, found and text[max(found.start() - 60, 0) : found.end() + 20])
        assert BAD.search(done.err) is None, (source, done.err)
        if format_ == "html":
            assert "<script>alert" not in text and "<img src=x" not in text
        if format_ == "github":
            assert not re.search(r"^::error file=x|^::warning::x", text, re.M)


@pytest.mark.parametrize("name", WORDS, ids=" ".join)
def test_colour_is_the_only_sequence_on_a_terminal(cli: Cli, logs: dict[str, Path], name: tuple[str, ...]) -> None:
    for log in logs.values():
        done = cli(*name, *filled(WORDS[name], log, "read_file"), "--color", "always", "--width", "100")
        text = SGR.sub("", done.out.decode())
        found = BAD.search(text)
        assert found is None, text[max(found.start() - 60, 0) : found.end() + 20]


ODD = {
    "nesting": '{"a":' * 10_000 + "1" + "}" * 10_000,
    "lists": "[" * 10_000 + "]" * 10_000,
    "digits": "9" * 10_000,
    "fraction": "0." + "3" * 10_000,
    "exponent": "1e99999",
    "nan": "[NaN,Infinity,-Infinity]",
    "twice": '{"path":"a","path":"b"}',
    "minus zero": "-0.0",
}
SHAPES = {
    "own": '{"format":"windowkeeper/1","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"",'
    '"toolCalls":[{"id":"c","name":"n","args":{"v":ODD}}]},{"role":"tool","toolCallId":"c","content":"r"}]}',
    "claude-code": '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"a"}}\n'
    '{"type":"assistant","uuid":"v","parentUuid":"u","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use",'
    '"id":"t","name":"n","input":{"v":ODD}}]}}\n',
    "anthropic": '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use",'
    '"id":"t","name":"n","input":{"v":ODD}}]},'
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]}]}',
    "openai-chat": '[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"c","type":'
    '"function","function":{"name":"n","arguments":"{}","v":ODD}}]},{"role":"tool","tool_call_id":"c","content":"r"}]',
    "gemini": '{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":'
    '{"name":"n","args":{"v":ODD}}}]}]}',
    "codex": '{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/r","v":ODD}}\n'
    '{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":'
    '[{"type":"input_text","text":"a"}]}}\n',
}
LOADING = (
    ("explain", "LOG"),
    ("info", "LOG"),
    ("check", "LOG"),
    ("convert", "LOG", "--to", "windowkeeper"),
    ("sessions", "FOLDER"),
)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("shape", SHAPES)
def test_odd_values_are_kept_or_refused_in_a_line(cli: Cli, tmp_path: Path, shape: str, odd: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(SHAPES[shape].replace("ODD", ODD[odd]))
    for words in LOADING:
        done = cli(*filled(words, log))
        assert done.code in (0, 1, 2), done.err
        if done.code == 2:
            assert (done.out == b"" or words[0] == "check") and done.err.count("\n") <= 2 and len(done.err) < 4_000


def test_a_number_of_many_digits_comes_back_as_it_was(cli: Cli, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    log.write_text(SHAPES["own"].replace("ODD", ODD["digits"]))
    assert ODD["digits"] in cli("convert", str(log), "--to", "windowkeeper").text


def bombs() -> dict[str, bytes]:
    """Return files that unpack to far more than they are."""
    zeros = b" " * (40 << 20)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/a.json", zeros)
    small = SHAPES["own"].replace("ODD", "1").encode()
    return {
        "gzip": gzip.compress(zeros),
        "gzip of a log": gzip.compress(small + b"\n" * (40 << 20)),
        "several members": gzip.compress(b" " * (4 << 20)) * 3 + gzip.compress(zeros),
        "zip": packed.getvalue(),
    }


BOMBS = bombs()


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_by_every_command(cli: Cli, tmp_path: Path, bomb: str) -> None:
    log = tmp_path / "log.json"
    log.write_bytes(BOMBS[bomb])
    for name, words in WORDS.items():
        if name != ("sessions",):
            done = cli(*name, *filled(words, log, "x"))
            assert done.code == 2 and "unpack to over 100 times as much" in done.err, name
            assert done.out == b"" or name == ("check",)


TRICKS = (
    "../../etc/passwd",
    "/etc/passwd",
    "..",
    ".",
    "",
    "a/../../b",
    "a\0b",
    "\\\\server\\x",
    "~root",
    "-",
    "x" * 5_000,
    "$(id)",
)


@pytest.mark.parametrize("trick", TRICKS, ids=[*TRICKS[:10], "long", "shell"])
def test_an_id_is_never_a_path(cli: Cli, trick: str) -> None:
    log, kept = TRANSCRIPT, "fixtures/small-explain/kept"
    for words in (
        ("recall", "--", trick, log), ("recall", "--archive", kept, "--", trick),
        ("archive", "export", kept, "--", trick),
        ("explain", log, "--agent", trick), ("man", "--", trick), ("rules", "--", trick), ("explain", log, "-p", trick),
        ("explain", log, "--from", trick), ("explain", log, "--counter", trick), ("window", log, "--to", trick),
    ):  # fmt: skip
        if words[0] == "rules" and not trick:
            continue  # every name begins with nothing
        done = cli(*words)
        assert done.code == 2 and b"root:" not in done.out, (words, done.text[:200])
        assert done.err.startswith("windowkeeper: ") and done.err.count("\n") == 1 and BAD.search(done.err) is None


def test_a_linked_folder_of_subagents_is_read_only_inside_the_sessions_folder(cli: Cli, tmp_path: Path) -> None:
    logs, outside = tmp_path / "logs", tmp_path / "outside"
    (logs / "s-1").mkdir(parents=True)
    outside.mkdir()
    log = LogFile()
    log.user("a")
    log.reply("m1", {"type": "text", "text": "b"})
    (logs / "s-1.jsonl").write_bytes(log.encoded())
    side = [line | {"isSidechain": True, "agentId": "ag"} for line in log.lines]
    (outside / "agent-ag.jsonl").write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in side))
    (logs / "s-1" / "subagents").symlink_to(outside)
    assert json.loads(cli("info", str(logs / "s-1.jsonl"), "-f", "json").out)["agents"] == []
    (logs / "s-1" / "subagents").unlink()
    (logs / "inner").mkdir()
    (outside / "agent-ag.jsonl").rename(logs / "inner" / "agent-ag.jsonl")
    (logs / "s-1" / "subagents").symlink_to(logs / "inner")
    assert [one["agent"] for one in json.loads(cli("info", str(logs / "s-1.jsonl"), "-f", "json").out)["agents"]] == [
        "ag"
    ]
