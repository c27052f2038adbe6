"""Which conversation of a trace is read: that of the outermost agent, or of one that it called?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Draft, Entry
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.named import named
from windowkeeper_cli.formats.otel.messages import KNOWN, entries_of, system_blocks
from windowkeeper_cli.formats.otel.spans import Span, span_of, spans_in
from windowkeeper_cli.formats.otel.telling import model_of, told_by, usage_of
from windowkeeper_cli.formats.otel.tree import Group, Tree
from windowkeeper_cli.formats.otel.untold import entries_in
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.stream import Record
from windowkeeper_cli.formats.unknown import Unknowns, counted
from windowkeeper_cli.formats.usage import total
from windowkeeper_cli.formats.wire.answer import Answer, Dialect
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.formats.wire.reader import read_exchanges
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, SYSTEM
from windowkeeper_cli.model.transcript import Subagent

NOUN = "request"


def read(reading: Reading) -> Draft:
    """Return the entries of the conversation that is asked for; raise UsageError where there is none."""
    unknown = Unknowns("unknown-record")
    tree = Tree(list(_spans(reading, unknown)))
    agent, groups = reading.agent, tree.outer
    if agent is not None and not (agent.startswith(NOUN) and _told(groups)):
        agent = named(tree.inner, agent, "agent")
        groups = [tree.inner[agent]]
        reading = replace(reading, agent=None)
    models = sorted((span for group in groups for span in group.models), key=lambda span: span.start)
    draft = _exchanges(reading, models) if _told(groups) else _by_time(reading, groups, models)
    draft.agent = draft.agent or agent
    draft.findings += unknown.findings()
    inner = tuple(_described(reading, group) for group in tree.inner.values())
    draft.agents = (*inner, *draft.agents)
    first = models[0] if models else None
    draft.session = None if first is None else _session(first)
    side = [usage_of(span.attributes) for group in tree.inner.values() for span in group.models]
    draft.log = replace(
        draft.log,
        records=0,
        side_calls=draft.log.side_calls + len(side),
        side_usage=total([draft.log.side_usage, *side]),
        unknown_records=unknown.counted(),
    )
    return draft


def _spans(reading: Reading, unknown: Unknowns) -> Iterator[Span]:
    for value, origin in reading.records:
        found = False
        for raw, path in spans_in(value):
            found = True
            yield span_of(raw, origin, path)
        if not found:
            unknown.add(type_name(value), reading.where(origin), origin.line)


def _told(groups: Sequence[Group]) -> bool:
    """Return whether any call tells what it was sent with."""
    return any(told_by(span).sent is not None for group in groups for span in group.models)


def _session(span: Span) -> str | None:
    keys = ("gen_ai.conversation.id", "session.id")
    return next((name for key in keys if (name := text_or_none(span.attributes, key))), None) or span.trace or None


def _described(reading: Reading, group: Group) -> Subagent:
    usages = [usage_of(span.attributes) for span in group.models]
    first = group.agent or group.models[0]
    return Subagent(group.name, len(usages), total(usages), reading.where(first.origin, first.place))


def _exchanges(reading: Reading, models: Sequence[Span]) -> Draft:
    """Return the draft of calls that tell what they were sent with."""

    def pairs() -> Iterator[Pair | Record]:
        for span in models:
            told = told_by(span)
            body = {
                "system": told.system,
                "messages": told.sent or [],
                "tools": span.attributes.get("gen_ai.tool.definitions"),
                "model": span.attributes.get("gen_ai.request.model"),
            }
            failed = span.failed is not None and not told.given
            yield Pair(body, (span, told.given), failed, span.time, span.origin, span.place)

    return read_exchanges(reading, pairs(), Dialect(_entries, _answer, _reply, known=KNOWN), NOUN)


def _entries(pair: Pair) -> list[Entry]:
    made: list[Entry] = []
    system = system_blocks(pair.body["system"])
    if system:
        made.append(Entry(SYSTEM, system, (pair.origin,), HARNESS, place=pair.path("system")))
    for n, value in enumerate(pair.body["messages"]):
        made += entries_of(Message(value, pair.origin, pair.path(f"input[{n}]")))
    return made


def _answer(response: Any) -> Answer | None:
    span, given = response
    for value in given:
        made = entries_of(Message(value, span.origin, None))
        if any(one.role == ASSISTANT for one in made):
            attributes = span.attributes
            return Answer(
                value, text_or_none(attributes, "gen_ai.response.id"), model_of(attributes), usage_of(attributes)
            )
    return None


def _reply(found: Answer, pair: Pair) -> Entry:
    made = entries_of(Message(found.message, pair.origin, pair.path("output")))
    return next(one for one in made if one.role == ASSISTANT)


def _by_time(reading: Reading, groups: Sequence[Group], models: Sequence[Span]) -> Draft:
    """Return the draft of calls that tell only what they gave."""
    found = Gathering(reading, KNOWN)
    found.add(entries_in(groups))
    if models:
        found.seen = (
            f"{counted(len(models), 'call')} without what they were sent with: replies and tools in order of time"
        )
    return found.draft()
