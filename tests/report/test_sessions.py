"""The report `sessions`: order, names, lengths and sizes as a page shows them. Expected values by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.report.made import fits
from windowkeeper_cli.formats.folder import Folder, SessionFile, Skipped
from windowkeeper_cli.formats.outline import Glance, Outline
from windowkeeper_cli.render.page import render as page
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sessions import Row, Sessions
from windowkeeper_cli.report.sessions_page import length_words, project_names, session_names, size_words


def row(name: str, ended: str | None = None, copy: str | None = None, **more: Any) -> Row:
    file = SessionFile(f"logs/{name}.jsonl", 10, Glance(), (), copy)
    found = Outline("claude-code", session=name, ended=ended, started=ended, calls=2, bytes=10)
    return Row(file, found._replace(**more))


def report(*rows: Row, **more: Any) -> Sessions:
    folder = Folder("logs", tuple(one.file for one in rows))
    return Sessions(folder, rows, **more)


def text(found: Sessions, width: int | None = None) -> str:
    return b"".join(page(found, Style(False, width, "utf-8"))).decode()


def test_newest_first_as_moments_and_those_without_times_last() -> None:
    found = report(
        row("none"),
        row("old", "2026-01-01T10:00:00.000Z"),
        row("new", "2026-01-02T00:30:00+02:00"),
        row("b", "2026-01-01T10:00:00Z"),
        row("aaaa"),
    )
    assert [one.session for one in found.rows] == ["new", "b", "old", "aaaa", "none"]


def test_the_document_has_every_key_and_names_what_was_left_out() -> None:
    found = report(
        row("a", "2026-01-01T10:00:00Z", peak=5, last=4, project="/p", request="r", agents=("x",)),
        row("c", copy="logs/a.jsonl"),
        skipped=(Skipped("logs/x.json", "no known transcript format"),),
        unread=3,
    )
    document = found.document()
    fits(document)
    assert document["root"] == "logs" and document["mode"] is None
    sessions = document["sessions"]
    assert isinstance(sessions, list)
    assert sessions[0] == {
        "session": "a", "path": "logs/a.jsonl", "project": "/p", "format": "claude-code",
        "started": "2026-01-01T10:00:00Z", "ended": "2026-01-01T10:00:00Z", "calls": 2, "requests": 0, "subagents": 1,
        "peakTokens": 5, "lastTokens": 4, "compactions": 0, "microcompactions": 0, "bytes": 10, "request": "r",
        "notUnderstood": 0, "stillWritten": False, "copyOf": None,
    }  # fmt: skip
    assert (sessions[1]["peakTokens"], sessions[1]["copyOf"]) == (None, "logs/a.jsonl")
    assert document["notes"] == [
        {"level": "warning", "where": "logs", "kind": "partial", "text": "interrupted: 3 logs were not read"},
        {"level": "warning", "where": "logs/x.json", "kind": "skipped", "text": "no known transcript format"},
    ]
    lines = list(found.lines())
    assert len(lines) == 2 and lines[0].startswith(b'{"session":"a",') and lines[0].endswith(b"}\n")
    assert [column.key for column in found.table().columns] == list(sessions[0])


def test_subagents_in_the_log_and_in_files_are_counted_once() -> None:
    one = row("a", agents=("x", "y"))
    one = one._replace(file=one.file._replace(agents=("logs/a/subagents/agent-y.jsonl", "logs/agent-z.jsonl")))
    assert one.subagents == 3


def test_the_page_counts_sessions_once_and_lists_copies_and_files_left_out() -> None:
    found = report(
        row("aaaaaaaa-1", "2026-01-01T10:00:00Z", request="first words", compactions=1, still_written=True),
        row("bbbbbbbb-1", "2026-01-01T09:00:00Z", copy="logs/aaaaaaaa-1.jsonl"),
        skipped=(Skipped("logs/x.json", "no known transcript format"),),
    )
    shown = text(found)
    assert "1 session   2 calls   10 B   1 copy of others and 1 other file left out (listed below)" in shown
    assert "first words (10 B, 1 compaction, still being written)" in shown
    assert "bbbbbbbb-1.jsonl  aaaaaaaa-1.jsonl" in shown
    assert "x.json  no known transcript format" in shown
    assert shown.rstrip().endswith("next   windowkeeper info logs/aaaaaaaa-1.jsonl")


def test_a_page_where_nothing_fits_says_so() -> None:
    found = Sessions(Folder("logs", (SessionFile("logs/a.jsonl", 1),)), (), words=("--since", "7d"))
    assert "None of its 1 session log fits --since 7d." in text(found)
    fits(found.document())


@pytest.mark.parametrize("width", [80, 100, 140])
def test_the_page_fits_a_terminal(width: int) -> None:
    found = report(
        row("aaaaaaaa-1", "2026-01-01T10:00:00Z", request="word " * 16, project="/home/me/" + "p" * 60, peak=167_895,
            last=166_919, compactions=3, microcompactions=2, agents=("a", "b")),
        row("bbbbbbbb-1", "2026-01-01T10:00:00Z", request="w" * 80),
    )  # fmt: skip
    assert max(len(line) for line in text(found, width).split("\n")[:-3]) <= width


def test_content_is_escaped() -> None:
    shown = text(report(row("a\x1b[31mb", "2026-01-01T10:00:00Z", project="/x/[red]\u202e", request="[bold]x")))
    assert "\x1b" not in shown and "\u202e" not in shown and "[bold]x" in shown


def test_ids_are_as_long_as_it_takes_to_tell_them_apart() -> None:
    names = ["4b1cf20a-1111", "4b1cf20a-1222", "9000aaaa-3333", "short", "short", "4b1cf20a-1"]
    assert session_names(["swe-agent-of-a-long-name", "abcd1234-1"], {"swe-agent-of-a-long-name"}) == [
        "swe-agent-of-a-long-", "abcd1234"
    ]  # fmt: skip
    assert session_names(names) == ["4b1cf20a-11", "4b1cf20a-12", "9000aaaa", "short", "short", "4b1cf20a-1"]


def test_projects_are_named_by_their_last_part_or_two() -> None:
    given = ["/home/a/shop", "/home/b/shop", "C:\\work\\web", "/", None, "/home/a/shop"]
    assert project_names(given) == ["a/shop", "b/shop", "web", "/", None, "a/shop"]


@pytest.mark.parametrize(
    ("ended", "words"),
    [("09:00:45", "45s"), ("09:12:59", "12m"), ("12:05:00", "3h05m"), ("08:00:00", "0s")],
)
def test_lengths(ended: str, words: str) -> None:
    assert length_words("2026-01-01T09:00:00Z", f"2026-01-01T{ended}Z") == words


def test_long_and_unknown_lengths() -> None:
    assert length_words("2026-01-01T09:00:00Z", "2026-01-03T13:00:00Z") == "2d04h"
    assert length_words(None, "2026-01-03T13:00:00Z") is None


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (64_269, "64 kB"), (999_499, "999 kB"), (999_600, "1.0 MB"),
        (3_947_393, "3.9 MB"), (285_827_320, "286 MB"), (1_500_000_000, "1.5 GB"), (2_500_000_000_000, "2,500 GB"),
    ],
)  # fmt: skip
def test_sizes(count: int, words: str) -> None:
    assert size_words(count) == words
