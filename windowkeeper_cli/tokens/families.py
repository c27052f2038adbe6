"""By how much does a model family cut text finer than o200k_base? Scales of the estimate, per 10,000.

Each is the middle calibration of its family's real logs, rounded: 19 logs of Claude up to 4.6 (11,382 to 14,473) and
3 of newer ones (15,815 to 19,926). `tests/bench/calibration.py` prints them.
"""

from __future__ import annotations

import re
from collections import Counter as Tallied

from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """A family of models; `words` name it in a label, empty where nothing is scaled."""

    words: str
    scale: int


UNKNOWN = Family("", 10_000)
CLAUDE = Family("Claude up to 4.6", 12_600)
CLAUDE_NEWER = Family("Claude 4.7 and newer", 17_700)
_NEWER = (4, 7)
_CLAUDE = re.compile(r"claude-(?:[a-z]+-)?([0-9]{1,2})(?:[-.]([0-9]{1,2}))?(?![0-9])")


def family_of(model: str | None) -> Family:
    """Return the family of a model name; an unknown one is counted as o200k_base would."""
    found = _CLAUDE.search(model) if model else None
    if found is None:
        return UNKNOWN
    return CLAUDE if (int(found[1]), int(found[2] or 0)) < _NEWER else CLAUDE_NEWER


def main_model(transcript: Transcript) -> str | None:
    """Return the model of most calls (the first of equals), else the first one that the transcript names."""
    named = Tallied(call.model for call in transcript.calls if call.model)
    if named:
        return named.most_common(1)[0][0]
    return transcript.models[0] if transcript.models else None
