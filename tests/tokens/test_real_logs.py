"""Calibration on real logs, where they are at hand: figures that the notes on those logs lead to expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from windowkeeper_cli.formats import load
from windowkeeper_cli.tokens import counts

LOGS = Path(__file__).parents[2].parent / "shared" / "sessions" / "claude-code"
pytestmark = pytest.mark.skipif(not LOGS.is_dir(), reason="the shared logs are not here")


@pytest.mark.parametrize(
    ("name", "calls", "least", "most"),
    [
        ("cc-microcompact-57calls.jsonl", 57, 2.35, 3.16),
        ("cc-2.0.64-66calls.jsonl", 66, 2.35, 3.16),
        ("cc-2.1.121-71calls-attachments.jsonl", 71, 1.83, 2.14),
        ("cc-images-9-mcp-82calls.jsonl", 82, 2.35, 3.16),
    ],
)
def test_ratio_and_error(name: str, calls: int, least: float, most: float) -> None:
    """The notes' fits: 2.35 to 3.16 characters a token (10th to 90th percentile), 1.83 to 2.14 from Opus 4.7 on."""
    label = counts(load(str(LOGS / name))).counter.label
    assert label.fitted_on == calls
    assert label.chars_per_token is not None and least <= label.chars_per_token <= most
    assert label.error_median is not None and label.error_median < 0.03


def test_edited_log_is_not_calibrated() -> None:
    """A viewer's fixture whose figures were written by hand."""
    label = counts(load(str(LOGS / "cc-1.0.24-fixture-edited.jsonl")), "calibrated").counter.label
    assert not label.measured
    assert "not calibrated: the reported prompts would mean" in label.sentence
