"""What does one event of a managed agent hold, as the model was sent it or gave it?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import Part, made_call, other, result_content
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.fields import figure, text_or_none
from windowkeeper_cli.formats.managed_agents.kinds import ANSWERS, ASKS, GRADED, SAYS, THINKS
from windowkeeper_cli.model.block import Block, Text, Think, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import HARNESS, PERSON, SYSTEM, TOOL, USER


def told_in(line: Message) -> Entry:
    """Return the entry of an event that the model is sent: a message, an outcome to reach, a verdict on it."""
    event = line.value
    kind = event["type"]
    if kind == "user.define_outcome":
        blocks = _outcome(event)
    elif kind == GRADED:
        blocks = tuple(result_content(event.get("explanation")))
    else:
        blocks = tuple(result_content(event.get("content")))
    person = kind.startswith("user.")
    role, author = SYSTEM if kind == "system.message" else USER, PERSON if person else HARNESS
    return _entry(line, role, blocks, author)._replace(request=person)


def result_in(line: Message) -> Entry:
    """Return the entry of a tool's result."""
    event = line.value
    ident = text_or_none(event, ANSWERS[event["type"]]) or ""
    result = ToolResult(ident, None, event.get("is_error") is True, result_content(event.get("content")))
    return _entry(line, TOOL, (result,), TOOL)


def given_in(event: dict[str, Any]) -> list[Part]:
    """Return what an event adds to the model's reply."""
    kind = event["type"]
    if kind in ASKS:
        return [Part(*_asked(event))]
    if kind == THINKS:
        # The service logs that the model thought, and as a rule not what.
        text = text_or_none(event, "thinking") or "".join(_texts(event.get("content")))
        return [Part(Think(text, text_or_none(event, "signature")), -1)]
    assert kind in SAYS
    return [Part(block, -1) for block in result_content(event.get("content"))]


def usage_of(event: dict[str, Any]) -> Usage | None:
    """Return what a request reports at its end; the input leaves the cached parts out."""
    told = event.get("model_usage")
    if not isinstance(told, dict):
        return None
    read, written = figure(told, "cache_read_input_tokens"), figure(told, "cache_creation_input_tokens")
    found = Usage(figure(told, "input_tokens"), figure(told, "output_tokens"), read, written)
    return found if found.prompt or found.output else None


def time_of(event: dict[str, Any]) -> str | None:
    """Return when an event was recorded."""
    return text_or_none(event, "processed_at")


def _entry(line: Message, role: str, blocks: tuple[Block, ...], author: str) -> Entry:
    return Entry(role, blocks, (line.origin,), author, place=line.place, timestamp=time_of(line.value))


def _asked(event: dict[str, Any]) -> tuple[Block, int, Any]:
    call, ref = made_call(event.get("id"), event.get("name"), event.get("input"))
    return call, -1, ref


def _texts(content: Any) -> list[str]:
    return [block.text for block in result_content(content) if isinstance(block, Text)]


def _outcome(event: dict[str, Any]) -> tuple[Block, ...]:
    """Return an outcome's description and the rubric that it is graded by; a rubric in a file is only named."""
    blocks: list[Block] = list(result_content(event.get("description")))
    rubric = event.get("rubric")
    if isinstance(rubric, dict):
        content = rubric.get("content")
        blocks.append(Text(content) if isinstance(content, str) else other(rubric))
    return tuple(blocks)
