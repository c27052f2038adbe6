"""What the tests on real logs share: the manifest, and recorded windows held against reported prompts."""

from __future__ import annotations

import csv
from functools import cache
from statistics import median
from typing import NamedTuple

from tests.formats.logs import SHARED
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts

FOLDER = SHARED / "sessions"
HERE = (FOLDER / "MANIFEST.tsv").is_file()


class Compared(NamedTuple):
    """One call: tokens of its recorded window with the unseen prefix, and of the prompt as reported."""

    call: int
    window: int
    prompt: int

    @property
    def off(self) -> float:
        """Return by how much of the prompt the window differs."""
        return abs(self.window - self.prompt) / self.prompt


@cache
def loaded(name: str) -> Transcript:
    """Return the transcript of a real file, by its folder and name."""
    return load(str(FOLDER / name))


def api_calls(name: str) -> int:
    """Return the calls that the manifest counts in a file."""
    with (FOLDER / "MANIFEST.tsv").open(encoding="utf-8", newline="") as stream:
        return int(next(row["api calls"] for row in csv.DictReader(stream, delimiter="\t") if row["file"] == name))


@cache
def compared(name: str) -> tuple[Compared, ...]:
    """Return the recorded windows of a real file beside the reported prompts."""
    transcript = loaded(name)
    session = Session(transcript, counts(transcript, "calibrated"), Settings("recorded"))
    return tuple(
        Compared(call.number, step.meter.window, call.usage.prompt)
        for step, call in zip(session.steps(), transcript.calls, strict=False)
        if call.usage is not None and call.usage.prompt
    )


def median_off(rows: tuple[Compared, ...]) -> float:
    """Return the median of the differences."""
    return median(row.off for row in rows)
