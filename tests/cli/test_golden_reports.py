"""Every report prints what its golden file holds, at two widths (spec/8, "What it looks like")."""

from __future__ import annotations

import pytest

from tests.golden_reports import COMMANDS, GOLDEN, names, shown
from tests.house import ROOT
from windowkeeper_cli.cli.commands import COMMANDS as ALL

OTHERS = {"recall", "window", "convert", "man", "archive"}
"""Commands that write a content, a body or a page as it is, and one that needs an archive made before."""


@pytest.mark.parametrize("name", names())
def test_a_report_is_the_golden_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m tests.golden` writes them anew."""
    monkeypatch.chdir(ROOT)
    assert shown(name) == (GOLDEN / name).read_text("utf-8")


def test_every_command_that_makes_sheets_has_golden_reports_and_no_file_is_left_over() -> None:
    assert {command[0] for command in COMMANDS.values()} == set(ALL.names) - OTHERS
    assert {path.name for path in GOLDEN.iterdir()} == set(names())
