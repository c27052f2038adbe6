"""Is an input an evaluation log of Inspect, or a sample of one?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.inspect.shapes import is_log, is_sample
from windowkeeper_cli.formats.listed import objects_in
from windowkeeper_cli.formats.reading import NAMED, Reading, Verdict

WHAT = "an Inspect log, .json {eval, samples} or .eval, or a sample {id, epoch, messages, events}"


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are an Inspect log or its samples, and why."""
    for value in objects_in(values):
        if is_log(value):
            return Verdict(NAMED, "a log whose eval names a task")
        if is_sample(value):
            return Verdict(NAMED, "a sample with its epoch and messages")
    return None


def read(reading: Reading) -> Draft:
    """Return the entries of the sample that is asked for, the first by default."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.inspect.reader import read as read_log

    return read_log(reading)
