"""How do the lines of one chain become entries and events, in the order in which they were sent?"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from windowkeeper_cli.formats.claude_code.chain import BOUNDARY, MICRO_BOUNDARY
from windowkeeper_cli.formats.claude_code.lines import ASSISTANT, ATTACHMENT, SYSTEM, USER, Line
from windowkeeper_cli.formats.claude_code.people import expansions, is_machinery, is_person
from windowkeeper_cli.formats.claude_code.usage import usage_of
from windowkeeper_cli.formats.claude_code.waiting import Taken
from windowkeeper_cli.formats.content import without_empty
from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.model.block import Block, Blocks, Text, ToolResult
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import ASSISTANT as ROLE_ASSISTANT
from windowkeeper_cli.model.item import HARNESS, MODEL, PERSON, TOOL, CallRef, Origin
from windowkeeper_cli.model.item import USER as ROLE_USER
from windowkeeper_cli.model.payload import item_id, payload

_Key = tuple[int, int, int]
_LAST = 9
_KEY = itemgetter(0)


class Placed(NamedTuple):
    """An entry, where it stands (line, and order behind that line), and the line that it was made from."""

    key: _Key
    entry: Entry
    pos: int


def entries_of(chain: Sequence[Line], taken: Sequence[Taken], *, subagent: bool) -> list[Placed]:
    """Return the entries of the chain's lines in the order of the file, a result never before its call."""
    commands = expansions(chain)
    placed: list[Placed] = []
    replies: dict[str, list[Line]] = {}
    asked: dict[str, int] = {}
    for line in chain:
        if line.kind == ASSISTANT and not line.synthetic and line.reply is not None:
            replies.setdefault(line.reply, []).append(line)
    for lines in replies.values():
        for line in lines:
            for ref in line.calls:
                asked.setdefault(ref.id, lines[0].pos)
        placed.append(_reply(lines))
    for line in chain:
        if line.kind == USER and not line.summary:
            placed.extend(_user(line, asked, commands))
        elif line.kind == ATTACHMENT:
            placed.append(_attachment(line))
    placed.extend(_queued(prompt) for prompt in taken)
    placed.sort(key=_KEY)
    if subagent:
        placed = _first_prompt(placed)
    return _expanded(placed, commands)


def events_of(chain: Sequence[Line], placed: Sequence[Placed], names: Sequence[str]) -> tuple[Event, ...]:
    """Return the compactions and microcompactions that stand on the chain, by the items around them."""
    keys = [one.key for one in placed]
    events: list[Event] = []
    for n, line in enumerate(chain):
        if line.kind != SYSTEM or line.value is None:
            continue
        subtype = line.value.get("subtype")
        if subtype not in (BOUNDARY, MICRO_BOUNDARY):
            continue
        where = f"{names[line.origin.file]}:{line.origin.line}"
        before = placed[: bisect(keys, (line.pos, _LAST, 0))]
        call = 1 + sum(one.entry.role == ROLE_ASSISTANT for one in before)
        if subtype == BOUNDARY:
            summary = next((after for after in chain[n + 1 :] if after.kind == USER), None)
            events.append(_compaction(line, summary, len(before), call, where))
        else:
            events.append(_microcompaction(line, before, call, where))
    return tuple(events)


def _reply(lines: Sequence[Line]) -> Placed:
    first = lines[0]
    blocks: list[Block] = []
    calls: list[CallRef] = []
    origins: list[Origin] = []
    places: list[str | int] = []
    for line in lines:
        blocks += line.blocks
        origins.append(line.origin)
        if line.calls:
            calls += line.calls
            places += [line.origin.line] * len(line.calls)
    said = tuple(blocks)
    entry = Entry(
        ROLE_ASSISTANT,
        without_empty(said) if calls else said,
        tuple(origins),
        MODEL,
        False,
        None,
        first.time,
        tuple(calls),
        tuple(places),
        Reply(first.reply, first.model, usage_of(lines)),
    )
    return Placed((first.pos, 0, 0), entry, first.pos)


def _user(line: Line, asked: dict[str, int], commands: dict[int, int]) -> Iterator[Placed]:
    """Yield each result on its own, and what stands between results together."""
    held: list[Block] = []
    order = 0
    for block in line.blocks:
        if type(block) is ToolResult:
            if held:
                yield _texts(line, tuple(held), order, commands)
                held.clear()
                order += 1
            call = asked.get(block.id, -1)
            key = (call, 2, line.pos) if call > line.pos else (line.pos, 1, order)
            yield Placed(key, Entry(TOOL, (block,), (line.origin,), TOOL, False, None, line.time), line.pos)
            order += 1
        else:
            held.append(block)
    if held or not order:
        yield _texts(line, tuple(held), order, commands)


def _texts(line: Line, blocks: Blocks, order: int, commands: dict[int, int]) -> Placed:
    text = next((block.text for block in blocks if isinstance(block, Text)), "")
    typed = bool(blocks) and is_person(line, commands) and not is_machinery(text)
    author = PERSON if typed else HARNESS
    entry = Entry(ROLE_USER, blocks, (line.origin,), author, typed, None, line.time)
    return Placed((line.pos, 1, order), entry, line.pos)


def _attachment(line: Line) -> Placed:
    attached = line.value.get("attachment") if line.value else None
    prompt = _queued_prompt(attached)
    if prompt is None:
        blocks, typed = line.blocks, False
    else:
        blocks, typed = (Text(prompt),), not is_machinery(prompt)
    entry = Entry(
        ROLE_USER,
        blocks,
        (line.origin,),
        PERSON if typed else HARNESS,
        request=typed,
        timestamp=line.time,
    )
    return Placed((line.pos, 1, 0), entry, line.pos)


def _queued_prompt(attached: Any) -> str | None:
    """Return the text of a queued command that was attached, where a person wrote it."""
    if not isinstance(attached, dict) or attached.get("type") != "queued_command":
        return None
    prompt = attached.get("prompt")
    return prompt if isinstance(prompt, str) and attached.get("commandMode", "prompt") == "prompt" else None


def _queued(prompt: Taken) -> Placed:
    entry = Entry(
        ROLE_USER,
        (Text(prompt.text),),
        (prompt.line.origin, prompt.taken.origin),
        PERSON if prompt.person else HARNESS,
        request=prompt.person,
        timestamp=prompt.taken.time,
    )
    return Placed((prompt.taken.pos, 1, 0), entry, prompt.taken.pos)


def _first_prompt(placed: list[Placed]) -> list[Placed]:
    """A subagent's prompts are a model's; the first of them is its current request all the same."""
    first = True
    changed: list[Placed] = []
    for one in placed:
        if one.entry.role == ROLE_USER and one.entry.request:
            entry = one.entry._replace(authored_by=MODEL, request=first)
            first = False
            one = one._replace(entry=entry)
        changed.append(one)
    return changed


def _expanded(placed: list[Placed], commands: dict[int, int]) -> list[Placed]:
    if not commands:
        return placed
    index = {one.pos: at for at, one in enumerate(placed) if one.entry.role == ROLE_USER}
    for command, expansion in commands.items():
        at, request = index.get(expansion), index.get(command)
        if at is not None and request is not None:
            placed[at] = placed[at]._replace(entry=placed[at].entry._replace(expands=request))
    return placed


def _compaction(line: Line, summary: Line | None, at: int, call: int, where: str) -> Event:
    facts = _facts(line, "compactMetadata")
    stands = summary if summary is not None and summary.summary else None
    blocks = stands.blocks if stands else ()
    trigger, size = facts.get("trigger"), facts.get("preTokens")
    return Event(
        kind="compaction",
        at=at,
        call=call,
        where=where,
        line=line.origin.line,
        trigger=trigger if isinstance(trigger, str) else None,
        pre_tokens=size if type(size) is int else None,
        summary=blocks,
        summary_id=item_id(payload(ROLE_USER, blocks)) if stands else None,
        summary_line=stands.origin.line if stands else None,
    )


def _microcompaction(line: Line, before: Sequence[Placed], call: int, where: str) -> Event:
    facts = _facts(line, "microcompactMetadata")
    named = facts.get("compactedToolIds")
    cleared = set(filter(lambda one: isinstance(one, str), named)) if isinstance(named, list) else set()
    trigger, size = facts.get("trigger"), facts.get("preTokens")
    return Event(
        kind="microcompaction",
        at=len(before),
        call=call,
        where=where,
        line=line.origin.line,
        trigger=trigger if isinstance(trigger, str) else None,
        pre_tokens=size if type(size) is int else None,
        cleared=tuple(
            at
            for at, one in enumerate(before)
            if one.entry.role == TOOL
            and isinstance(one.entry.blocks[0], ToolResult)
            and one.entry.blocks[0].id in cleared
        ),
    )


def _facts(line: Line, key: str) -> dict[str, Any]:
    facts = line.value.get(key) if line.value else None
    return facts if isinstance(facts, dict) else {}
