"""Had a tool call's result been given before by calls on the same resource, and is it unchanged since?"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence

from windowkeeper_cli.model.block import ToolResult, texts_of
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps.file_name import with_file_name
from windowkeeper_cli.replay.gaps.shown_lines import Shown, overlap, share, shown
from windowkeeper_cli.replay.gaps.tool_use import EDIT, SHELL, WRITE, ToolUse
from windowkeeper_cli.rules.identifiers import Identifier, identifiers

SMALL = 100
"""Tokens under which a second look costs less than what it would have cost to keep the first."""
MOST_EARLIER = 25
"""Earlier looks at one resource that are compared, the newest."""


Look = Callable[[ToolUse], Shown]
"""Gives what the result of a tool call shows; it may remember that."""


class Again(NamedTuple):
    """A tool call on a resource that earlier ones were about, these newest first; `names` are what it goes by."""

    use: ToolUse
    earlier: tuple[ToolUse, ...]
    names: tuple[Identifier, ...]


class Seen(NamedTuple):
    """The earlier results that hold what a call asked for again, newest first; `exact`: asked in the same words."""

    holders: tuple[int, ...]
    exact: bool


def asked_again(uses: Sequence[ToolUse], counts: Counts) -> list[Again]:
    """Return the calls that may be a second look: not small, not a write or an edit, no command run after an edit."""
    edits = [use.at for use in uses if use.family in (WRITE, EDIT)]
    before: dict[tuple[str, str], list[ToolUse]] = {}
    found: list[Again] = []
    for use in uses:
        if not use.resource or use.family in (WRITE, EDIT) or use.answer < 0:
            continue
        earlier = [one for one in before.get(use.about, ()) if one.answer < use.at][-MOST_EARLIER:]
        before.setdefault(use.about, []).append(use)
        if not earlier or holds_little(use, counts) or (use.family == SHELL and edited_since(earlier[-1], use, edits)):
            continue
        found.append(Again(use, tuple(reversed(earlier)), names_of(use.resource)))
    return found


def names_of(resource: str) -> tuple[Identifier, ...]:
    """Return what a resource goes by in a text, a path by its file name; a command or a pattern goes by nothing."""
    found = identifiers(resource)
    if len(found) != 1 or found[0].name != resource.removeprefix("./"):
        return ()
    return with_file_name(found[0])[-1:]


def holds_little(use: ToolUse, counts: Counts) -> bool:
    """Return whether a result holds under 100 tokens: seen again, it shows no need."""
    return counts.tokens[use.answer] < SMALL


def edited_since(earlier: ToolUse, use: ToolUse, edits: Sequence[int]) -> bool:
    """Return whether anything was written or edited between two runs of a command: the second asks for news."""
    place = bisect_left(edits, earlier.at)
    return place < len(edits) and edits[place] < use.at


def seen_before(again: Again, look: Look, counts: Counts) -> Seen | None:
    """Return which earlier results hold what a call got; None where it differs from them, or little was in them.

    The newest result that contradicts the new one ends the search: what is older had changed by then.
    """
    new = look(again.use)
    holders: list[ToolUse] = []
    numbers: frozenset[int] | None = frozenset()
    for earlier in again.earlier:
        same = _same_question(earlier, again.use)
        common = overlap(new, look(earlier), same_question=same)
        if common.changed:
            break
        if common.numbers is None or common.numbers:
            holders.append(earlier)
            numbers = None if common.numbers is None or numbers is None else numbers | common.numbers
    if counts.tokens[again.use.answer] * share(new, numbers) < SMALL:
        return None
    return Seen(tuple(use.answer for use in holders), any(_same_arguments(use, again.use) for use in holders))


def shows(again: Again, texts: Sequence[str], look: Look, counts: Counts) -> bool:
    """Return whether texts show what a call asked for again, but for what holds little."""
    new = look(again.use)
    common = overlap(new, shown("\n".join(texts)), same_question=False)
    return not common.changed and counts.tokens[again.use.answer] * (1 - share(new, common.numbers)) < SMALL


def shown_by(transcript: Transcript, use: ToolUse) -> Shown:
    """Return what the result of a tool call shows."""
    blocks = transcript.blocks(use.answer)
    own = tuple(block for block in blocks if isinstance(block, ToolResult) and block.id == use.id)
    return shown("\n".join(texts_of(own or blocks)))


def _same_question(one: ToolUse, other: ToolUse) -> bool:
    """Return whether two calls on one resource ask the same: a command is its whole question."""
    return one.family == SHELL or _same_arguments(one, other)


def _same_arguments(one: ToolUse, other: ToolUse) -> bool:
    if one.args == other.args:
        return True
    try:
        return bool(json.loads(one.args) == json.loads(other.args))
    except (ValueError, RecursionError):
        return False
