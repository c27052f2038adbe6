"""How do a format's entries become a transcript? Turns, ids, pairs, tasks, runs and findings, once for all formats."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.formats.entry import NO_FLAGS, Draft, Entry
from windowkeeper_cli.formats.identity import identified, short_ids
from windowkeeper_cli.formats.pairing import Odd, Pairing
from windowkeeper_cli.formats.runs import make_calls
from windowkeeper_cli.formats.sealing import Measure
from windowkeeper_cli.formats.seals import Seals
from windowkeeper_cli.formats.source import HeldBlocks, Origins
from windowkeeper_cli.model.block import Blocks, Text, ToolResult
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.item import HARNESS, NOTICE_PREFIX, SUMMARY_PREFIX, SYSTEM, TOOL, USER, Item
from windowkeeper_cli.model.transcript import FileFacts, Transcript

_OURS = (NOTICE_PREFIX, SUMMARY_PREFIX)
_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor; only where every item of a log passes."""


def assemble(
    draft: Draft, *, known_as: tuple[str, str], files: Sequence[FileFacts], origins: Origins, measure: Measure | None
) -> Transcript:
    """Return the transcript of a draft: every item with its turn, id and pair, every call with its run.

    `known_as` is the format's name and why it is that. `measure` is what was asked of the blocks that are sealed.
    """
    entries = [_ours(entry) if entry.request else entry for entry in draft.entries]
    pairing = Pairing(entries)
    blocks = _named(entries, pairing)
    turns, envelope = _turns(entries)
    seals = Seals(entries, blocks, pairing.refs, origins, draft.again)
    known = [seals.known.get(at) or identified(entry.role, blocks[at]) for at, entry in enumerate(entries)]
    ids, clashes = short_ids([digest for digest, _ in known])
    places = _Places(entries, files)
    findings = [*draft.findings, *(places.finding(odd) for odd in pairing.odd)]
    findings += [places.clash(first, second, ids) for first, second in clashes]
    items = _items(entries, blocks, ids, turns, pairing, [units for _, units in known])
    calls, following = make_calls(entries, pairing.pairs, draft.request)
    models = tuple(dict.fromkeys(call.model for call in calls if call.model))
    return Transcript(
        items=items,
        calls=calls,
        next_call=following,
        source=HeldBlocks(items, blocks, origins, seals.contents, draft.again, (measure, seals.measured)),
        format=known_as[0],
        format_why=known_as[1],
        files=tuple(files),
        session=draft.session,
        agent=draft.agent,
        models=models,
        envelope=envelope,
        pairs=pairing.pairs,
        findings=tuple(findings),
        events=draft.events,
        agents=draft.agents,
        paused=draft.paused,
        log=draft.log,
        request=draft.request,
    )


def _ours(entry: Entry) -> Entry:
    """A user message that a window strategy wrote is no request, whoever the format says wrote it."""
    if entry.role == USER and entry.blocks:
        first = entry.blocks[0]
        if type(first) is Text and first.text.startswith(_OURS):
            return entry._replace(authored_by=HARNESS, request=False)
    return entry


def _named(entries: list[Entry], pairing: Pairing) -> list[Blocks]:
    """Return the blocks of every entry, a result that has no name of its own named as its call's tool."""
    blocks = [entry.blocks for entry in entries]
    for at, ref in pairing.refs.items():
        result = blocks[at][0]
        assert type(result) is ToolResult
        ident, name, error, content = result
        if not name and ref.name:
            blocks[at] = (_new(ToolResult, (ident, ref.name, error, content)),)
    return blocks


def _turns(entries: list[Entry]) -> tuple[list[int], int]:
    """Return the turn of every entry, -1 for the leading system ones, and how many those are."""
    envelope = 0
    while envelope < len(entries) and entries[envelope].role == SYSTEM:
        envelope += 1
    turns, turn = [-1] * envelope, -1
    for entry in entries[envelope:]:
        if entry.role != TOOL or turn < 0:
            turn += 1
        turns.append(turn)
    return turns, envelope


def _task(entries: list[Entry]) -> int:
    """Return the first request's index where no entry is flagged as the task, else -1."""
    if any(entry.flags.task for entry in entries if entry.flags is not NO_FLAGS):
        return -1
    return next((at for at, entry in enumerate(entries) if entry.request), -1)


def _items(
    entries: list[Entry],
    blocks: list[Blocks],
    ids: list[str],
    turns: list[int],
    pairing: Pairing,
    units: list[int],
) -> tuple[Item, ...]:
    task = _task(entries)
    items: list[Item] = []
    refs, answers = pairing.refs, pairing.answers
    for at, entry in enumerate(entries):
        role, _, origins, author, request, _, time, calls, _, _, flags, expands, _ = entry
        pinned, flagged, tags, ttl, effect, stage = flags
        ident, name, error, resource = None, None, False, None
        if role == TOOL:
            result = blocks[at][0]
            assert type(result) is ToolResult
            ident, name, error, _ = result
            ref = refs.get(at)
            resource = ref.resource if ref else None
        fields = (
            at, ids[at], role, turns[at], author, request, units[at], name, ident, resource, calls,
            answers.get(at, -1), error, pinned, flagged or at == task, tags, ttl, effect, stage, time, origins, expands,
        )  # fmt: skip
        items.append(_new(Item, fields))
    return tuple(items)


class _Places:
    """Names entries as a finding does: the file, and a path inside the document or a line."""

    def __init__(self, entries: list[Entry], files: Sequence[FileFacts]) -> None:
        self._entries = entries
        self._files = files

    def finding(self, odd: Odd) -> Finding:
        text = odd.text if odd.other is None else f"{odd.text} ({self._where(*odd.other)})"
        place = self._place(odd.at, odd.call)
        line = place if isinstance(place, int) else None
        return Finding(odd.kind, self._where(odd.at, odd.call), text, line, odd.id)

    def clash(self, first: int, second: int, ids: list[str]) -> Finding:
        text = f"its content and that of {self._where(first)} share an id of 12 digits; both get 16"
        place = self._place(second)
        return Finding("id-clash", self._where(second), text, place if isinstance(place, int) else None, ids[second])

    def _where(self, at: int, call: int = -1) -> str:
        origins = self._entries[at].origins
        return f"{self._files[origins[0].file].path if origins else '?'}:{self._place(at, call)}"

    def _place(self, at: int, call: int = -1) -> str | int:
        """Return the path or line of an entry, or of one call in it."""
        entry = self._entries[at]
        if 0 <= call < len(entry.call_places):
            return entry.call_places[call]
        if entry.place is not None:
            return entry.place
        return entry.origins[0].line if entry.origins else 0
