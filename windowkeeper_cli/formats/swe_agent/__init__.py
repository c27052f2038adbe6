"""Is an input a trajectory of SWE-agent or mini-swe-agent?"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.reading import CERTAIN, LIKELY, NAMED, Reading, Verdict

WHAT = "a SWE-agent .traj {trajectory, history, info}, or mini-swe-agent's {info, messages} or its messages alone"
_STEP = ("action", "observation", "response")
_MINI = "mini-swe-agent"


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the first value is a trajectory, and why."""
    value = values[0] if values else None
    if isinstance(value, list):
        plain = _is_mini_list(value)
        return Verdict(LIKELY, "a list of messages with commands and their <returncode>") if plain else None
    if not isinstance(value, dict):
        return None
    steps = value.get("trajectory")
    if isinstance(steps, list):
        if isinstance(value.get("history"), list):
            return Verdict(CERTAIN, "a trajectory with its history")
        if any(isinstance(step, dict) and all(key in step for key in _STEP) for step in steps):
            return Verdict(CERTAIN, "a trajectory of actions and observations")
    if isinstance(value.get("messages"), list):
        info = value.get("info")
        if str(value.get("trajectory_format", "")).startswith(_MINI):
            return Verdict(NAMED, f"its trajectory_format says {_MINI}")
        if isinstance(info, dict) and "exit_status" in info and ("submission" in info or "mini_version" in info):
            return Verdict(NAMED, "messages with an exit status")
    return None


def _is_mini_list(value: list[Any]) -> bool:
    """Return whether messages alone are mini-swe-agent's: a reply with one command, and what the shell gave back."""
    texts = [
        (one.get("role"), one["content"])
        for one in value
        if isinstance(one, dict) and isinstance(one.get("content"), str)
    ]
    return any(
        asked[0] == "assistant" and "```" in asked[1] and told[0] == "user" and told[1].startswith("<returncode>")
        for asked, told in pairwise(texts)
    )


def read(reading: Reading) -> Draft:
    """Return the entries of the trajectory."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.swe_agent.reader import read as read_trajectory

    return read_trajectory(reading)
