"""The standing plan: what an archive keeps of each visit, so that the next one begins where it ended."""

from __future__ import annotations

from collections.abc import Mapping

from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.transcript import Paused
from windowkeeper_cli.model.value import NamedTuple


class Planned(NamedTuple):
    """One visit: its call, a digest of the items that it was given, and the ledger lines that it wrote.

    `paused` is the tool call that the run waited on then, `policy` a digest of what it was made under.
    """

    call: Call
    items: str
    lines: tuple[Mapping[str, object], ...]
    paused: Paused | None = None
    policy: str = ""


Plan = tuple[Planned, ...]
