"""`--archive` on explain, replay and recall, and `archive verify|list|export` (spec/4, "Archive"; spec/8)."""

from __future__ import annotations

import csv
import io
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.archive.test_damage import flipped
from tests.cli.running import POLICY, ROOT, TRANSCRIPT, Cli, process
from tests.report.made import fits
from windowkeeper_cli.archive.opening import open_archive
from windowkeeper_cli.formats import load

KEPT = "fixtures/small-explain/kept"
KINDS = pytest.mark.parametrize("name", ["kept", "kept.sqlite"])
NOTICE, ITEM = "7caf19db6cd1", "401b06b2ee70"


def document(cli: Cli, *words: str, code: int = 0) -> dict[str, Any]:
    """Return the document that a command prints, after holding it to its schema."""
    done = cli(*words, "-f", "json")
    assert done.code == code, done.err
    found: dict[str, Any] = json.loads(done.out)
    fits(found)
    return found


def kept(cli: Cli, path: Path) -> str:
    assert cli("explain", TRANSCRIPT, "-p", POLICY, "--archive", str(path)).code == 0
    return str(path)


def test_the_fixture_is_what_explain_writes_now(cli: Cli, tmp_path: Path) -> None:
    # Where this fails after a change of the record: explain TRANSCRIPT -p POLICY --archive KEPT, and look at it.
    made = Path(kept(cli, tmp_path / "kept"))
    files = {
        str(path.relative_to(ROOT / KEPT)): path.read_bytes() for path in (ROOT / KEPT).rglob("*") if path.is_file()
    }
    anew = {str(path.relative_to(made)): path.read_bytes() for path in made.rglob("*") if path.is_file()}
    assert {name: body for name, body in anew.items() if name != "lock"} == files


@KINDS
def test_explain_puts_every_item_and_what_left_and_says_the_same(cli: Cli, tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    plain, archived = (
        cli("explain", TRANSCRIPT, "-p", POLICY),
        cli("explain", TRANSCRIPT, "-p", POLICY, "--archive", path),
    )
    again = cli("explain", TRANSCRIPT, "-p", POLICY, "--archive", path)
    assert (plain.code, plain.out) == (archived.code, archived.out) == (again.code, again.out)
    transcript = load(str(ROOT / TRANSCRIPT))
    with open_archive(path, writes=False) as archive:
        assert {item.id for item in transcript.items} == set(archive.ids())
        assert archive.lists() == (NOTICE,)
    assert document(cli, "archive", "verify", path)["ok"] is True


@KINDS
def test_recall_from_an_archive_is_recall_from_the_transcript(cli: Cli, tmp_path: Path, name: str) -> None:
    path = kept(cli, tmp_path / name)
    for item in load(str(ROOT / TRANSCRIPT)).items:
        one, two = cli("recall", item.id, TRANSCRIPT), cli("recall", item.id, "--archive", path)
        assert (one.code, one.out) == (two.code, two.out)
    one, two = cli("recall", NOTICE, TRANSCRIPT, "-p", POLICY), cli("recall", NOTICE, "--archive", path)
    assert (one.code, one.out) == (two.code, two.out) and b"--- " in two.out
    assert cli("recall", ITEM[:4].upper(), "--archive", path).out == cli("recall", ITEM, TRANSCRIPT).out
    # --raw: the bytes that the id is the SHA-256 of.
    assert sha256(cli("recall", ITEM, "--archive", path, "--raw").out).hexdigest()[:12] == ITEM


def test_recall_from_an_archive_as_a_document_and_a_page(cli: Cli, tmp_path: Path) -> None:
    found = document(cli, "recall", ITEM, "--archive", KEPT)
    assert (found["stands"], found["items"][0]["tool"], found["transcript"]["format"]) == (
        "item",
        "read_log",
        "archive",
    )
    listed = document(cli, "recall", NOTICE, "--archive", KEPT)
    assert (listed["stands"], listed["call"], listed["text"], len(listed["items"])) == ("list", None, None, 8)
    page = cli("recall", NOTICE, "--archive", KEPT, "-f", "table")
    assert page.code == 0 and "stands for 8 items" in page.text
    out = tmp_path / "out.txt"
    assert cli("recall", ITEM, "--archive", KEPT, "-o", str(out)).code == 0
    assert out.read_bytes() == cli("recall", ITEM, TRANSCRIPT).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["recall", "401b06b2ee71", "--archive", KEPT], "has the id 401b06b2ee71; the nearest are 401b06b2ee70,"),
        (["recall", "../../../etc/passwd", "--archive", KEPT], "has the id ../../../etc/passwd; the nearest are"),
        (["recall", "40", "--archive", KEPT], "'40' is too short for an id"),
        (["recall", ITEM], "nothing says where to look; name a TRANSCRIPT, or --archive PATH"),
        (["recall", ITEM, TRANSCRIPT, "--archive", KEPT], "TRANSCRIPT does not go with --archive"),
        (["recall", ITEM, "--archive", KEPT, "--call", "3"], "--call does not go with --archive"),
        (["recall", ITEM, "--archive", KEPT, "-p", "none"], "-p does not go with --archive"),
        (["recall", ITEM, "--archive", "fixtures/none"], "fixtures/none: there is no archive"),
        (["recall", ITEM, "--archive", TRANSCRIPT], f"{TRANSCRIPT}: it is no archive of windowkeeper"),
        (["explain", TRANSCRIPT, "--archive", "fixtures"], "fixtures: the folder is no archive of windowkeeper"),
        (["explain", TRANSCRIPT, "--archive", KEPT, "--cold"], "--archive does not go with --cold"),
        (["explain", TRANSCRIPT, "--archive", "x.sqlite", "-o", "./x.sqlite"], "-o ./x.sqlite is the archive"),
        (["replay", TRANSCRIPT, "--archive", "x.sqlite", "-o", "./x.sqlite"], "-o ./x.sqlite is the archive"),
        (["replay", TRANSCRIPT, "--archive", "fixtures"], "fixtures: the folder is no archive of windowkeeper"),
        (["archive", "verify", "fixtures"], "fixtures: the folder is no archive of windowkeeper"),
        (["archive", "export", KEPT, "401b06b2ee71"], "has the id 401b06b2ee71; the nearest are"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_2(cli: Cli, words: list[str], said: str) -> None:
    done = cli(*words)
    assert (done.code, done.out) == (2, b"") and said in done.err and done.err.count("\n") == 1
    assert not (ROOT / "x.sqlite").exists()


@KINDS
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_replay_puts_every_session_and_says_the_same(tmp_path: Path, name: str, jobs: str) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(4):
        body = (ROOT / TRANSCRIPT).read_text("utf-8").replace("Check", f"Check {number}")
        (logs / f"{number}.json").write_text(body)
    path, words = str(tmp_path / name), ("replay", str(logs), "--limit", "300", "-p", "windowkeeper", "-p", "none")
    plain, archived = process(*words, "-j", jobs, "-q"), process(*words, "-j", jobs, "-q", "--archive", path)
    assert (plain.code, plain.out) == (archived.code, archived.out) and plain.code == 0
    wanted = {item.id for log in logs.iterdir() for item in load(str(log)).items}
    with open_archive(path, writes=False) as archive:
        assert set(archive.ids()) == wanted and archive.lists() and list(archive.verify()) == []


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_replay_into_no_archive_is_one_line(tmp_path: Path, jobs: str) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(2):
        (logs / f"{number}.json").write_text((ROOT / TRANSCRIPT).read_text("utf-8"))
    done = process("replay", str(logs), "-q", "-j", jobs, "--archive", str(logs))
    assert done.code == 2 and "no archive of windowkeeper" in done.err and done.err.count("\n") == 1
    assert done.out == b"" and len(list(logs.iterdir())) == 2


def test_list_names_items_in_order_and_lists(cli: Cli) -> None:
    found = document(cli, "archive", "list", KEPT)
    transcript = load(str(ROOT / TRANSCRIPT))
    assert [item["id"] for item in found["items"]] == [item.id for item in transcript.items]
    assert [(one["id"], len(one["items"])) for one in found["lists"]] == [(NOTICE, 8)]
    assert (found["archive"]["kind"], found["archive"]["items"], found["damage"]) == ("file", 17, [])
    rows = list(csv.DictReader(io.StringIO(cli("archive", "list", KEPT, "-f", "csv").text)))
    assert [row["id"] for row in rows] == [*(item.id for item in transcript.items), NOTICE]
    page = cli("archive", "list", KEPT)
    assert b"\x1b" not in page.out and page.text.endswith(f"next   windowkeeper recall {NOTICE} --archive {KEPT}\n")


def test_export_writes_what_was_named_whole(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert cli("archive", "export", KEPT, "-o", str(out)).code == 0
    found = json.loads(out.read_bytes())
    fits(found)
    for item in found["items"]:
        assert sha256(item["payload"].encode()).hexdigest()[:12] == item["id"]
    assert len(found["items"]) == 17 and [one["id"] for one in found["lists"]] == [NOTICE]
    some = json.loads(cli("archive", "export", KEPT, ITEM[:5], NOTICE).out)
    assert len(some["items"]) == 8 and [one["id"] for one in some["lists"]] == [NOTICE]
    rows = list(csv.DictReader(io.StringIO(cli("archive", "export", KEPT, ITEM, "-f", "csv").text)))
    assert [(row["id"], row["tool"]) for row in rows] == [(ITEM, "read_log")]
    assert "\x1b" not in cli("archive", "export", KEPT, ITEM, "-f", "table").text


def test_a_damaged_archive_names_what_is_damaged_and_serves_the_rest(cli: Cli, tmp_path: Path) -> None:
    path = kept(cli, tmp_path / "kept")
    place = tmp_path / "kept" / "items" / ITEM
    flipped(place)
    found = document(cli, "archive", "verify", path, code=1)
    assert [(one["kind"], one["id"], one["where"]) for one in found["damage"]] == [("item", ITEM, str(place))]
    page = cli("archive", "verify", path)
    assert page.code == 1 and "FAIL" in page.text and ITEM in page.text
    one = cli("recall", ITEM, "--archive", path)
    assert (one.code, one.out) == (2, b"") and f"{place}: its bytes are not those that were written" in one.err
    listed = cli("recall", NOTICE, "--archive", path)
    assert listed.code == 0 and listed.text.count("--- ") >= 7
    assert listed.err.startswith("windowkeeper: warning: ") == (ITEM in _listed(path))
    for words in (("list", path), ("export", path)):
        done = cli("archive", *words, "-f", "json")
        assert done.code == 0 and done.err.count("warning") == 1 and str(place) in done.err
        document_ = json.loads(done.out)
        fits(document_)
        assert len(document_["items"]) == 16 and [note["kind"] for note in document_["notes"]] == ["item"]
    assert cli("archive", "list", path, "-q").err == ""
    # The transcript is at hand again, and nothing is wrong any more.
    kept(cli, tmp_path / "kept")
    assert document(cli, "archive", "verify", path)["ok"] is True


def _listed(path: str) -> tuple[str, ...]:
    with open_archive(path, writes=False) as archive:
        return archive.list(NOTICE) or ()


def test_commands_without_an_archive_load_none_of_it(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom windowkeeper_cli.cli.process import run\n"
        f"assert run(['explain', {TRANSCRIPT!r}, '-q', '-o', {str(tmp_path / 'out')!r}]) == 0\n"
        "loaded = {'sqlite3', 'windowkeeper_cli.archive.lasting', 'windowkeeper_cli.archive.file'} & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    import subprocess
    import sys

    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
