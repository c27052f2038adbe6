"""Which sample of an Inspect log is read, and how do its model events become one transcript?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.inspect.attachments import Attachments
from windowkeeper_cli.formats.inspect.messages import KNOWN, dialect, entry_of, role_of, usage_of
from windowkeeper_cli.formats.inspect.shapes import is_log, is_sample
from windowkeeper_cli.formats.listed import each_record
from windowkeeper_cli.formats.named import part_number
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.unknown import Unknowns, counted
from windowkeeper_cli.formats.usage import total
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.formats.wire.reader import read_exchanges
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.transcript import NamedPart

NOUN = "request"


def read(reading: Reading) -> Draft:
    """Return the entries of the sample that is asked for; raise UsageError where there is no such one."""
    log = _Log(reading)
    number = reading.part or 1
    if log.chosen is None:
        if reading.part is not None and log.parts:
            part_number(number, len(log.parts), "sample")
        return Draft(findings=log.unknown.findings())
    sample = _Sample(reading, log.chosen)
    draft = sample.draft()
    draft.findings += log.unknown.findings()
    draft.session = text_or_none(log.chosen.value, "uuid") or text_or_none(log.eval, "eval_id")
    packages = log.eval.get("packages")
    many = f"sample {number} of {len(log.parts)}, {log.parts[number - 1].name}, " if len(log.parts) > 1 else ""
    draft.seen = f"{many}{draft.seen}"
    draft.log = replace(
        draft.log,
        records=0,
        version=text_or_none(packages, "inspect_ai") if isinstance(packages, dict) else None,
        part=number,
        parts=len(log.parts),
        listed=tuple(log.parts),
        unknown_records=log.unknown.counted(),
    )
    return draft


class _Log:
    """Walks the records: `chosen` is the sample that is asked for, `parts` names all, `eval` is what the log tells."""

    def __init__(self, reading: Reading) -> None:
        self.chosen: Message | None = None
        self.parts: list[NamedPart] = []
        self.eval: dict[str, Any] = {}
        self.unknown = Unknowns("unknown-record")
        wanted = reading.part or 1
        for record in each_record(reading.records):
            for message in self._samples(record):
                if is_sample(message.value):
                    self.parts.append(NamedPart(_name(message.value), reading.where(message.origin, message.place)))
                    if len(self.parts) == wanted:
                        self.chosen = message
                else:
                    where = reading.where(message.origin, message.place)
                    self.unknown.add(type_name(message.value), where, message.origin.line)

    def _samples(self, record: Message) -> Iterator[Message]:
        value = record.value
        if not is_log(value):
            yield record
            return
        self.eval = value["eval"]
        samples = value.get("samples")
        for n, sample in enumerate(samples if isinstance(samples, list) else ()):
            yield Message(sample, record.origin, f"samples[{n}]")


def _name(sample: dict[str, Any]) -> str:
    return f"{sample['id']} (epoch {sample['epoch']})"


class _Sample:
    """One sample: its requests where its events hold them, else its messages."""

    def __init__(self, reading: Reading, message: Message) -> None:
        self.reading = reading
        self.origin = message.origin
        self.value: dict[str, Any] = message.value
        self.before = "" if message.place is None else f"{message.place}."
        self.attachments = Attachments(self.value.get("attachments"))

    def draft(self) -> Draft:
        """Return the draft of the sample."""
        events = self.value.get("events")
        asked = [
            (n, event)
            for n, event in enumerate(events if isinstance(events, list) else ())
            if isinstance(event, dict) and event.get("event") == "model" and isinstance(event.get("input"), list)
        ]
        draft = read_exchanges(self.reading, self._pairs(asked), dialect(), NOUN) if asked else self._messages()
        missing = self.attachments.missing
        if missing:
            draft.seen += f", {counted(missing, 'text')} whose attachment is not in the log"
        return draft

    def _pairs(self, asked: list[tuple[int, dict[str, Any]]]) -> Iterator[Pair]:
        """Yield the requests, then what the sample held at its end."""
        pool = self._pool()
        last: dict[str, Any] = {}
        for n, event in asked:
            yield self._pair(n, event, pool)
            last = event
        held = self.attachments.restored(self.value["messages"])
        body = {"messages": held, "tools": last.get("tools"), "model": last.get("model")}
        yield Pair(body, None, True, None, self.origin, f"{self.before}messages", sent=False)

    def _pair(self, n: int, event: dict[str, Any], pool: list[Any]) -> Pair:
        sent = self.attachments.restored(event["input"]) or _referred(event.get("input_refs"), pool)
        output = self.attachments.restored(event.get("output"))
        if isinstance(output, dict):
            output = {**output, "asked": event.get("model")}
        body = {"messages": sent, "tools": event.get("tools"), "model": event.get("model")}
        failed = bool(event.get("error")) or not isinstance(output, dict)
        time = text_or_none(event, "timestamp")
        return Pair(body, output, failed, time, self.origin, f"{self.before}events[{n}]")

    def _pool(self) -> list[Any]:
        """Return the messages that inputs refer to by their number, where the sample keeps each once."""
        shared = self.value.get("events_data")
        pool = shared.get("messages") if isinstance(shared, dict) else self.value.get("message_pool")
        found = self.attachments.restored(pool)
        return found if isinstance(found, list) else []

    def _messages(self) -> Draft:
        """Return the draft of a sample whose events were not logged."""
        if self.reading.agent is not None:
            raise UsageError(f"no conversation {self.reading.agent!r}", "the sample holds no model events")
        found = Gathering(self.reading, KNOWN)
        for n, value in enumerate(self.attachments.restored(self.value["messages"])):
            role, place = role_of(value), f"{self.before}messages[{n}]"
            if role is None:
                found.unknown(type_name(value), self.origin, place)
            else:
                found.add([entry_of(Message(value, self.origin, place), role)])
        used = self.value.get("model_usage")
        found.whole = total(usage_of(told, name) for name, told in (used if isinstance(used, dict) else {}).items())
        found.seen = "its messages alone, no model events"
        return found.draft()


def _referred(refs: Any, pool: list[Any]) -> list[Any]:
    """Return the messages of a request that names them by ranges of the pool."""
    found: list[Any] = []
    for span in refs if isinstance(refs, list) else ():
        if isinstance(span, list) and len(span) == 2 and all(type(at) is int and at >= 0 for at in span):
            found += pool[span[0] : span[1]]
    return found
