"""Is an input the events of a session of Claude Managed Agents?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.managed_agents.kinds import event_in, is_wrapped, listed_in
from windowkeeper_cli.formats.reading import CERTAIN, Reading, Verdict

WHAT = "events of a managed agent session, as the API gives them or one a line as {role, kind, time, raw}"


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are such events, and why."""
    for one in (one for value in values for one in listed_in(value)):
        if event_in(one) is not None:
            return Verdict(CERTAIN, f"events of a managed agent{', wrapped' if is_wrapped(one) else ''}")
    return None


def read(reading: Reading) -> Draft:
    """Return the entries of the session's own thread, or of the thread that is asked for."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.managed_agents.reader import read as read_session

    return read_session(reading)
