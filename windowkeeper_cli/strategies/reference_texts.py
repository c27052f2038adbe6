"""The texts that the reference strategies leave behind: ours in wording, the reference's in length.

Their lengths decide whether a removal pays, so each text has exactly the UTF-16 length that the reference's has.
Source: agentfootprint 9.62.0, the drop notice and the summary frame.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from windowkeeper_cli.model.item import NOTICE_PREFIX, SUMMARY_PREFIX

MOST_NAMES = 4
_NAME = re.compile(r"[A-Za-z0-9_.:-]{1,48}")
_KEPT = (
    "The request you are working on is not among them: it still stands above this line, and nothing may take it out. "
)


def printable(names: Sequence[str]) -> list[str]:
    """Return the tool names that may be printed: plain identifiers, others left out whole."""
    return [name for name in names if _NAME.fullmatch(name)]


def notice(count: int, iteration: int, strategy: str, *, request_kept: bool, tools: Sequence[str] = ()) -> str:
    """Return the notice for `count` dropped messages; of `tools` the first four printable names are given."""
    named = printable(tools)
    listed = ", ".join(named[:MOST_NAMES]) + (", …" if len(named) > MOST_NAMES else "")
    results = (
        f"Some are tool results ({listed}); where you need such an output, call its tool again, "
        "and never make up ids or values from memory. "
    )
    return (
        f"{NOTICE_PREFIX}: {count} earlier message(s) left this window at iteration {iteration}, "
        f"taken out by the '{strategy}' window strategy. {_KEPT if request_kept else ''}{results if named else ''}"
        "No summary was made of them: they are only no longer sent. "
        "Every single one is still held, word for word, in the archive.]"
    )


def frame(count: int, iteration: int, model: str, text: str, *, retained: bool) -> str:
    """Return the summary message of `count` folded messages: an authored frame, then the text untouched."""
    kept = "The messages themselves are kept with the conversation.]"
    gone = "The messages themselves were dropped and are not in the conversation.]"
    return (
        f"{SUMMARY_PREFIX}: {count} earlier message(s) were folded into a summary at iteration {iteration} by {model}. "
        "What follows is that model's account of them, a claim and not a record, and may lack some of the things; "
        f"where it matters, check it against the sources. {kept if retained else gone}\n\n{text}"
    )
