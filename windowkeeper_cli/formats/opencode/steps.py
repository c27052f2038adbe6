"""What do the parts of one opencode message hold? A message of the model's has one step for each call."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import made_call, other, type_name
from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.formats.fields import figure, objects_of, text_or_none
from windowkeeper_cli.formats.times import iso_of
from windowkeeper_cli.model.block import Block, Other, Text, Think, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, TOOL, USER, CallRef
from windowkeeper_cli.model.value import NamedTuple

ASKED_FOR_SUMMARY = "What did we do so far?"
RAN_BY_USER = "The following tool was executed by the user"
"""How opencode shows a compaction and a task that a person started (packages/opencode/src/session/message-v2.ts)."""
KNOWN = frozenset(("file",))
_SILENT = frozenset(("step-start", "step-finish", "snapshot", "patch", "retry", "agent"))
_AS_TEXT = ("text/plain", "application/x-directory")
_SIGNS = ("signature", "reasoningEncryptedContent")


class Step(NamedTuple):
    """One call: its reply and the results of its tools, and when each result was cleared (milliseconds)."""

    entries: list[Entry]
    cleared: list[tuple[int, int]]


def said(message: Message) -> list[Entry]:
    """Return the entry of a user message, nothing where no part of it is sent."""
    blocks: list[Block] = []
    typed = False
    for part in parts_of(message):
        kind = type_name(part)
        if kind == "text" and isinstance(part.get("text"), str):
            if part.get("ignored") is not True:
                blocks.append(Text(part["text"]))
                typed = typed or part.get("synthetic") is not True
        elif kind == "file":
            typed = True
            if part.get("mime") not in _AS_TEXT:
                blocks.append(other(part))
        elif kind == "compaction":
            blocks.append(Text(ASKED_FOR_SUMMARY))
        elif kind == "subtask":
            blocks.append(Text(RAN_BY_USER))
            typed = True
        elif kind not in _SILENT:
            blocks.append(other(part))
    if not blocks:
        return []
    author = PERSON if typed else HARNESS
    return [_entry(message, USER, tuple(blocks), author)._replace(request=typed)]


def steps_of(message: Message) -> list[Step]:
    """Return the steps of a message of the model's; one without any content is one step all the same."""
    groups: list[list[tuple[int, dict[str, Any]]]] = [[]]
    for n, part in enumerate(parts_of(message)):
        if type_name(part) == "step-start" and groups[-1]:
            groups.append([])
        groups[-1].append((n, part))
    return [_step(message, group, alone=len(groups) == 1) for group in groups]


def parts_of(message: Message) -> list[dict[str, Any]]:
    """Return the parts of a message that are objects."""
    return objects_of(message.value.get("parts"))


def usage_of(tokens: Any) -> Usage | None:
    """Return what a step reports; opencode writes zeros where nothing was reported."""
    if not isinstance(tokens, dict):
        return None
    cache = tokens.get("cache")
    cache = cache if isinstance(cache, dict) else {}
    found = Usage(figure(tokens, "input"), figure(tokens, "output"), figure(cache, "read"), figure(cache, "write"))
    reasoning = figure(tokens, "reasoning")
    if reasoning and figure(tokens, "total") == found.prompt + found.output + reasoning:
        found = Usage(found.input, found.output + reasoning, found.cache_read, found.cache_write)
    return found if found.prompt or found.output else None


def _step(message: Message, group: list[tuple[int, dict[str, Any]]], *, alone: bool) -> Step:
    info = message.value["info"]
    blocks: list[Block] = []
    refs: list[CallRef] = []
    places: list[str | int] = []
    results: list[Entry] = []
    cleared: list[tuple[int, int]] = []
    usage = None
    for n, part in group:
        kind = type_name(part)
        if kind == "tool":
            place = f"{message.place}.parts[{n}]" if message.place else None
            call, ref = made_call(part.get("callID"), part.get("tool"), _state(part).get("input"))
            blocks.append(call)
            refs.append(ref)
            places.append(place or message.origin.line)
            results += _result(message, place, call.id, part)
            when = _state(part).get("time")
            when = when.get("compacted") if isinstance(when, dict) else None
            if type(when) is int and results:
                cleared.append((len(results), when))
        elif kind == "step-finish":
            usage = usage_of(part.get("tokens"))
        elif kind not in _SILENT:
            blocks.append(_block(part, kind))
    kept = tuple(block for block in blocks if not (refs and isinstance(block, Text) and not block.text))
    reply = Reply(text_or_none(info, "id"), text_or_none(info, "modelID"), usage)
    if usage is None and alone:
        reply = reply._replace(usage=usage_of(info.get("tokens")))
    own = _entry(message, ASSISTANT, kept, MODEL)._replace(calls=tuple(refs), call_places=tuple(places), reply=reply)
    return Step([own, *results], cleared)


def _entry(message: Message, role: str, blocks: tuple[Block, ...], author: str) -> Entry:
    time = message.value["info"].get("time")
    created = iso_of(time.get("created")) if isinstance(time, dict) else None
    return Entry(role, blocks, (message.origin,), author, place=message.place, timestamp=created)


def _state(part: dict[str, Any]) -> dict[str, Any]:
    state = part.get("state")
    return state if isinstance(state, dict) else {}


def _result(message: Message, place: str | None, ident: str, part: dict[str, Any]) -> list[Entry]:
    """Return the result of a tool part; a call that never ended has none."""
    state = _state(part)
    status, output = state.get("status"), state.get("output")
    if status == "error":
        facts = state.get("metadata")
        output = facts.get("output") if isinstance(facts, dict) and facts.get("interrupted") is True else None
        status = "completed" if isinstance(output, str) else status
        output = output if isinstance(output, str) else state.get("error")
    if status not in ("completed", "error"):
        return []
    content: list[Text | Other] = [Text(output)] if isinstance(output, str) else []
    attached = state.get("attachments")
    content += [other(one) for one in (attached if isinstance(attached, list) else ())]
    time = state.get("time")
    ended = iso_of(time.get("end")) if isinstance(time, dict) else None
    result = ToolResult(ident, text_or_none(part, "tool"), status == "error", tuple(content))
    return [Entry(TOOL, (result,), (message.origin,), TOOL, place=place, timestamp=ended)]


def _block(part: dict[str, Any], kind: str) -> Block:
    text = part.get("text")
    if kind == "text" and isinstance(text, str):
        return Text(text)
    if kind == "reasoning" and isinstance(text, str):
        return Think(text, _signature(part.get("metadata")))
    return other(part)


def _signature(metadata: Any) -> str | None:
    """Return what a provider signed or encrypted its reasoning with, whichever provider it is."""
    for provider in metadata.values() if isinstance(metadata, dict) else ():
        for sign in _SIGNS if isinstance(provider, dict) else ():
            if isinstance(provider.get(sign), str):
                found: str = provider[sign]
                return found
    return None
