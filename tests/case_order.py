"""Cases: do order, roles, times and sizes say what is expected, and would the provider accept it?"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from itertools import groupby, pairwise
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tests.case_places import Places
from tests.case_values import Case, Seen, equal
from windowkeeper_cli.model.item import ASSISTANT, USER, Item
from windowkeeper_cli.replay.acceptance.providers import sender_of
from windowkeeper_cli.replay.acceptance.windows import transcript_faults


def check_identical_items(seen: Seen, expected: Any, _case: Case) -> str | None:
    """Either the groups of places with one id, how many groups, or how many items are in them."""
    by_id: dict[str, list[Item]] = {}
    for item in seen.transcript.items:
        by_id.setdefault(item.id, []).append(item)
    groups = [group for group in by_id.values() if len(group) > 1]
    if isinstance(expected, int):
        members = sum(len(group) for group in groups)
        return None if expected in (len(groups), members, members - len(groups)) else equal(len(groups), expected)
    if any(isinstance(place, str) for group in expected for place in group):
        places = Places(seen.transcript)
        wanted = [[at for place in group for at in places.items(place)] for group in expected]
        return equal([[item.at for item in group] for group in groups], wanted)
    return equal([[_place(seen, item) for item in group] for group in groups], expected)


def _place(seen: Seen, item: Item) -> Any:
    lines = {one.origins[0].line for one in seen.transcript.items}
    return item.origins[0].line if len(lines) > 1 else item.at


def message_roles(seen: Seen) -> list[str]:
    """Return the roles of the messages as the file has them, where it is one document of messages with roles.

    Of any other file they are the items' own; a Claude Code log's results go back as user messages, joined.
    """
    messages = _messages(seen)
    if messages:
        return [str(message["role"]) for message in messages]
    if seen.transcript.format != "claude-code":
        return [item.role for item in seen.transcript.items]
    roles: list[str] = []
    for item in seen.transcript.items:
        role = USER if item.is_result else item.role
        if not (role == USER and roles and roles[-1] == USER):
            roles.append(role)
    return roles


def _messages(seen: Seen) -> list[Any]:
    places = Places(seen.transcript)
    if seen.transcript.format == "claude-code" or not places.messages():
        return []
    document = places.document
    messages = document if isinstance(document, list) else document["messages"]
    return messages if all(isinstance(one, dict) and "role" in one for one in messages) else []


def check_same_role_runs(seen: Seen, expected: Any, _case: Case) -> str | None:
    """Either how many runs of one role there are, or the role and length of each."""
    runs = [[role, len(list(group))] for role, group in groupby(message_roles(seen))]
    long = [run for run in runs if run[1] != 1]
    return equal(long if isinstance(expected, list) else len(long), expected)


def check_alternation(seen: Seen, expected: bool, _case: Case) -> str | None:
    """Strict templates want user and assistant in turn; system and tool messages do not count."""
    roles = [role for role in message_roles(seen) if role in (USER, ASSISTANT)]
    return equal(any(one == two for one, two in pairwise(roles)), expected)


def _utc(time: str) -> datetime:
    moment = datetime.fromisoformat(time)
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo("UTC"))


def _spans(seen: Seen) -> list[list[datetime]]:
    """Return the times of the items, and those of all of the file's lines, each sorted; none are left out."""
    lines = []
    for raw in seen.paths[0].read_bytes().split(b"\n"):
        with suppress(ValueError):
            value = json.loads(raw)
            if isinstance(value, dict) and isinstance(value.get("timestamp"), str):
                lines.append(value["timestamp"])
    found = [sorted(_utc(time) for time in times) for times in (seen.times(), lines)]
    return [moments for moments in found if moments]


def check_time(which: int) -> Callable[[Seen, str, Case], str | None]:
    def check(seen: Seen, expected: str, _case: Case) -> str | None:
        found = [moments[which] for moments in _spans(seen)]
        return None if _utc(expected) in found else f"expected {_utc(expected)}, found {found or 'no time'}"

    return check


def check_duration(seen: Seen, expected: float, _case: Case) -> str | None:
    found = [(moments[-1] - moments[0]).total_seconds() for moments in _spans(seen)]
    return None if float(expected) in found else f"expected {float(expected)}, found {found or 'no time'}"


def check_local_day(seen: Seen, expected: dict[str, Any], _case: Case) -> str | None:
    for zone, days in expected.items():
        try:
            place = ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError):
            return f"no time zone {zone!r} on this machine"
        times = [item.timestamp for item in seen.prompts if item.timestamp]
        found = [_utc(time).astimezone(place).date().isoformat() for time in times]
        problem = equal(found if isinstance(days, list) else next(iter(found), None), days)
        if problem:
            return f"{zone}: {problem}"
    return None


def check_estimate(seen: Seen, expected: Any, _case: Case) -> str | None:
    from windowkeeper_cli.tokens import counts

    tokens = counts(seen.transcript, "estimate").tokens
    found = {result.id: tokens[item.at] for item, result in seen.results}
    limits = expected if isinstance(expected, dict) else dict.fromkeys(found, expected)
    for ident, limit in limits.items():
        if ident not in found:
            return f"no result {ident}"
        if found[ident] > limit:
            return f"{ident}: {found[ident]} tokens, at most {limit}"
    return None


def check_provider(seen: Seen, expected: bool, _case: Case) -> str | None:
    """The provider of the format, asked about the transcript as one request.

    A harness completes calls that its log never answers before it sends: its window is meant as logged, or as sent.
    """
    faults = transcript_faults(seen.transcript)
    if faults is None:
        return "no provider is known for this format"
    found = {bool(faults)}
    if sender_of(seen.transcript).packs:
        found.add(bool(faults or seen.facts["unanswered"]))
    return None if expected in found else f"expected {expected}, found {[fault.text for fault in faults]}"
