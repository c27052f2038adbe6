"""How do message dumps of LangChain, and states of LangGraph, become entries?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.langchain.shapes import dumped, lists_in
from windowkeeper_cli.formats.reading import CERTAIN, LIKELY, Reading, Verdict

WHAT = "LangChain messages as messages_to_dict, dumpd or model_dump write them, or a LangGraph state with them"


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are dumped messages, and why."""
    for messages, _ in [(values, ""), *(found for value in values for found in lists_in(value))]:
        known = [found for value in messages if (found := dumped(value)) is not None]
        if not known or len(known) * 2 <= len(messages):
            continue
        sure = next((found for found in known if found.sure), None)
        if sure is not None:
            return Verdict(CERTAIN, f"messages as {sure.how} writes them")
        if any(found.kind in ("human", "ai") for found in known):
            return Verdict(LIKELY, "messages of the types human and ai")
    return None


def read(reading: Reading) -> Draft:
    """Return the entries of the messages."""
    # Most inputs are another format's, and start sooner without the reader.
    from windowkeeper_cli.formats.langchain.reader import read_dump

    return read_dump(reading)
