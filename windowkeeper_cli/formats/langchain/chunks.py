"""What do the chunks of one streamed LangChain reply add up to? They follow each other, under one id."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.fields import objects_of
from windowkeeper_cli.formats.langchain.shapes import Dumped

Fields = dict[str, Any]
_CHUNK = "Chunk"
_TEXTS = ("text", "thinking", "reasoning", "signature")
"""Keys of a content part that streams in pieces."""
_REASONING = "reasoning_content"


def is_chunk(value: Fields, fields: Fields) -> bool:
    """Return whether a dumped message is a chunk."""
    ident = value.get("id")
    names = (value.get("type"), fields.get("type"), ident[-1] if isinstance(ident, list) and ident else None)
    return any(isinstance(name, str) and name.endswith(_CHUNK) for name in names)


class Streamed:
    """A reply that came in chunks: the message of the first, the fields of each, and where they stand."""

    def __init__(self, first: Message, chunk: Dumped) -> None:
        self.first = first
        self.origins = [first.origin]
        self._chunk = chunk
        self._fields = [chunk.fields]

    def take(self, message: Message, chunk: Dumped) -> bool:
        """Take a further chunk; return whether it is one of this reply."""
        ident = chunk.fields.get("id")
        if not isinstance(ident, str) or ident != self._chunk.fields.get("id"):
            return False
        self._fields.append(chunk.fields)
        self.origins.append(message.origin)
        return True

    def whole(self) -> Dumped:
        """Return what the chunks add up to, as one message."""
        return self._chunk._replace(fields=_added(self._fields))


def _added(chunks: list[Fields]) -> Fields:
    made: Fields = {}
    for fields in chunks:
        made.update((key, value) for key, value in fields.items() if value is not None)
    made["content"] = _content([fields.get("content") for fields in chunks])
    made["usage_metadata"] = reduce(_sums, (fields.get("usage_metadata") for fields in chunks))
    made["response_metadata"] = _latest(fields.get("response_metadata") for fields in chunks)
    made["additional_kwargs"] = _extras([fields.get("additional_kwargs") for fields in chunks])
    pieces = [piece for fields in chunks for piece in objects_of(fields.get("tool_call_chunks"))]
    if pieces:
        made["tool_calls"], made["invalid_tool_calls"] = _calls(pieces), []
    else:
        made["tool_calls"] = [call for fields in chunks for call in objects_of(fields.get("tool_calls"))]
    return made


def _content(contents: list[Any]) -> Any:
    if all(isinstance(content, str) for content in contents):
        return "".join(contents)
    parts: list[Any] = []
    grown: list[dict[str, list[str]]] = []
    for content in contents:
        for part in content if isinstance(content, list) else [content] if content else []:
            last = parts[-1] if parts else None
            if isinstance(last, dict) and isinstance(part, dict) and _goes_on(last, part):
                for key in _TEXTS:
                    if isinstance(part.get(key), str):
                        grown[-1].setdefault(key, [str(last.get(key) or "")]).append(part[key])
            else:
                parts.append(part)
                grown.append({})
    return [
        {**part, **{key: "".join(texts) for key, texts in more.items()}} if more else part
        for part, more in zip(parts, grown, strict=True)
    ]


def _goes_on(last: Fields, part: Fields) -> bool:
    """Return whether a part is the next piece of the last one."""
    same = all(last.get(key) == part.get(key) for key in ("type", "index"))
    return same and "index" in part and any(isinstance(part.get(key), str) for key in _TEXTS)


def _calls(pieces: list[Fields]) -> list[Fields]:
    """Return the calls whose names and arguments came in pieces, by the index that they share."""
    made: list[Fields] = []
    by_index: dict[int | str, Fields] = {}
    for piece in pieces:
        index, ident = piece.get("index"), piece.get("id")
        shared = index if isinstance(index, int | str) else None
        call = None if shared is None else by_index.get(shared)
        if call is None or (ident and call["id"] and ident != call["id"]):
            call = {"id": None, "name": [], "args": []}
            made.append(call)
            if shared is not None:
                by_index[shared] = call
        call["id"] = call["id"] or ident
        for key in ("name", "args"):
            call[key] += [piece[key]] if isinstance(piece.get(key), str) else []
    return [{"id": call["id"], "name": "".join(call["name"]), "args": "".join(call["args"])} for call in made]


def _sums(before: Any, after: Any) -> Any:
    """Return the sum of two usages, figure by figure."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after if isinstance(after, dict) else before
    made = dict(before)
    for key, value in after.items():
        mine = made.get(key)
        if isinstance(value, dict):
            made[key] = _sums(mine, value)
        elif type(value) is int and type(mine) is int:
            made[key] = mine + value
        elif mine is None:
            made[key] = value
    return made


def _latest(told: Iterable[Any]) -> Fields:
    made: Fields = {}
    for fields in told:
        made.update(fields if isinstance(fields, dict) else {})
    return made


def _extras(told: list[Any]) -> Fields:
    """Return what stands beside the content: reasoning runs on, anything else is as it came last."""
    made = _latest(told)
    texts = [fields[_REASONING] for fields in told if isinstance(fields, dict) and _REASONING in fields]
    if texts and all(isinstance(text, str) for text in texts):
        made[_REASONING] = "".join(texts)
    return made
