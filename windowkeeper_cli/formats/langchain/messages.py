"""What does one LangChain message hold? The calls of an AI message stand in a list, and often in its content again."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.call_text import call_of_text
from windowkeeper_cli.formats.content import other, parts_of, result_content, type_name, without_empty
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.fields import objects_of, text_or_none
from windowkeeper_cli.formats.langchain.shapes import AI, CHAT, FUNCTION, HUMAN, SYSTEM, TOOL, Dumped
from windowkeeper_cli.formats.langchain.usage import reply_of
from windowkeeper_cli.formats.responses.items import reasoning_of
from windowkeeper_cli.model import item
from windowkeeper_cli.model.block import Block, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import CallRef

_CALLS = frozenset(("tool_use", "tool_call", "function_call", "custom_tool_call"))
_PIECES = frozenset(("input_json_delta", "tool_call_chunk", "invalid_tool_call"))
"""Parts that repeat in pieces what the list of calls holds whole."""
_ROLES = {"user": HUMAN, "human": HUMAN, "assistant": AI, "ai": AI, "system": SYSTEM, "developer": SYSTEM, "tool": TOOL}


def entry_of(message: Message, found: Dumped) -> Entry | None:
    """Return the entry of a message, None where its kind brings none."""
    kind, fields = found.kind, found.fields
    if kind == CHAT:
        kind = _ROLES.get(str(fields.get("role")), CHAT)
    origins, place = (message.origin,), message.place
    if kind == AI:
        return _said(message, found)
    if kind == SYSTEM:
        return Entry(item.SYSTEM, _blocks(fields), origins, item.HARNESS, place=place)
    if kind == HUMAN:
        person = not _is_injected(fields)
        author = item.PERSON if person else item.HARNESS
        return Entry(item.USER, _blocks(fields), origins, author, request=person, place=place)
    if kind in (TOOL, FUNCTION):
        name = text_or_none(fields, "name")
        ident = text_or_none(fields, "tool_call_id") or name or ""
        content = result_content(fields.get("content"))
        result = ToolResult(ident, name, fields.get("status") == "error", content)
        return Entry(item.TOOL, (result,), origins, item.TOOL, place=place)
    return None


def _is_injected(fields: dict[str, Any]) -> bool:
    """Return whether a middleware wrote a human message: its summaries say where they come from."""
    more = fields.get("additional_kwargs")
    return isinstance(more, dict) and isinstance(more.get("lc_source"), str)


def _blocks(fields: dict[str, Any]) -> tuple[Block, ...]:
    return tuple(part.block for part in parts_of(fields.get("content")))


class _Calls:
    """The calls of an AI message, by id, each with its path; `taken` are those that its content held."""

    def __init__(self, fields: dict[str, Any], place: str | int) -> None:
        more = fields.get("additional_kwargs")
        raw = objects_of(more.get("tool_calls")) if isinstance(more, dict) else []
        texts = {str(call.get("id")): call["function"] for call in raw if isinstance(call.get("function"), dict)}
        self.refs: list[CallRef] = []
        self.places: list[str | int] = []
        self._held: dict[str, list[tuple[ToolCall, CallRef, str | int]]] = {}
        for key in ("tool_calls", "invalid_tool_calls"):
            for n, call in enumerate(objects_of(fields.get(key))):
                # What a provider wrote as a text is kept as that text where the message has it still.
                told = texts.pop(str(call.get("id")), {}).get("arguments")
                args = told if isinstance(told, str) and key == "tool_calls" else call.get("args")
                self._hold(call.get("id"), call.get("name"), args, _in(place, f"{key}[{n}]"))
        for n, (ident, function) in enumerate(texts.items()):
            where = _in(place, f"additional_kwargs.tool_calls[{n}]")
            self._hold(ident, function.get("name"), function.get("arguments"), where)
        legacy = more.get("function_call") if isinstance(more, dict) else None
        if isinstance(legacy, dict) and not self._held:
            # Functions had no ids: a function message names the function that it answers.
            name = legacy.get("name")
            self._hold(name, name, legacy.get("arguments"), _in(place, "additional_kwargs.function_call"))

    def _hold(self, ident: Any, name: Any, args: Any, place: str | int) -> None:
        call, ref = call_of_text(ident, name, args)
        self._held.setdefault(call.id, []).append((call, ref, place))

    def take(self, ident: Any) -> Block | None:
        """Return the call that a part of the content repeats, None where the lists have none."""
        held = self._held.get(str(ident))
        return self._taken(held.pop(0)) if held else None

    def own(self, part: dict[str, Any], place: str | int) -> Block:
        """Return the call of a part of the content that is in no list."""
        args = part.get("input", part.get("args", part.get("arguments")))
        return self._taken((*call_of_text(part.get("id", part.get("call_id")), part.get("name"), args), place))

    def rest(self) -> list[Block]:
        """Return the calls that the content did not hold, in order."""
        return [self._taken(call) for held in self._held.values() for call in held]

    def _taken(self, held: tuple[ToolCall, CallRef, str | int]) -> Block:
        call, ref, place = held
        self.refs.append(ref)
        self.places.append(place)
        return call


def _in(place: str | int, path: str) -> str | int:
    return place if isinstance(place, int) else f"{place}.{path}"


def _said(message: Message, found: Dumped) -> Entry:
    fields = found.fields
    place: str | int = message.origin.line
    if message.place is not None:
        place = f"{message.place}.{found.under}" if found.under else message.place
    calls = _Calls(fields, place)
    blocks = [*_reasoning(fields), *_content(fields.get("content"), calls, place)]
    blocks += calls.rest()
    more = fields.get("additional_kwargs")
    if isinstance(more, dict) and isinstance(more.get("refusal"), str):
        blocks.append(other({"type": "refusal", "refusal": more["refusal"]}))
    return Entry(
        item.ASSISTANT,
        without_empty(tuple(blocks)) if calls.refs else tuple(blocks),
        (message.origin,),
        item.MODEL,
        place=message.place,
        calls=tuple(calls.refs),
        call_places=tuple(calls.places),
        reply=reply_of(fields),
    )


def _content(content: Any, calls: _Calls, place: str | int) -> list[Block]:
    """Return the blocks of an AI message's content; a call in it is the one of the list."""
    made: list[Block] = []
    for n, part in enumerate(content if isinstance(content, list) else ()):
        kind = type_name(part)
        if kind in _PIECES:
            continue
        if kind in _CALLS and isinstance(part, dict):
            call = calls.take(part.get("call_id", part.get("id")))
            made.append(call or calls.own(part, _in(place, f"content[{n}]")))
        elif kind == "reasoning" and isinstance(part, dict):
            text = text_or_none(part, "reasoning")
            made.append(reasoning_of(part) if text is None else Think(text, _sealed(part)))
        else:
            made += [one.block for one in parts_of([part])]
    return made if isinstance(content, list) else list(result_content(content))


def _sealed(part: dict[str, Any]) -> str | None:
    extras = part.get("extras")
    return text_or_none(extras, "signature") if isinstance(extras, dict) else None


def _reasoning(fields: dict[str, Any]) -> list[Block]:
    """Return the reasoning that stands beside the content, as some providers' packages keep it."""
    more = fields.get("additional_kwargs")
    told = more.get("reasoning_content", more.get("reasoning")) if isinstance(more, dict) else None
    if isinstance(told, str) and told:
        return [Think(told, None)]
    return [reasoning_of(told)] if isinstance(told, dict) else []
