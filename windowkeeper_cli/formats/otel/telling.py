"""What does a span tell of its call? Messages sent and given, in the shapes of four generations of conventions."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.fields import figure, objects_of, text_or_none
from windowkeeper_cli.formats.otel.spans import Span
from windowkeeper_cli.formats.otel.values import parsed, unfolded
from windowkeeper_cli.formats.usage import whole_prompt
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, USER
from windowkeeper_cli.model.item import TOOL as TOOL_ROLE
from windowkeeper_cli.model.value import NamedTuple

_DETAILS = "gen_ai.client.inference.operation.details"
_SENT, _GIVEN, _SYSTEM = "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions"
_DOTTED = (("llm.input_messages", "llm.output_messages"), ("gen_ai.prompt", "gen_ai.completion"))
"""OpenInference's keys, and OpenLLMetry's before it had messages."""
_SAID = {
    "gen_ai.system.message": SYSTEM,
    "gen_ai.user.message": USER,
    "gen_ai.assistant.message": ASSISTANT,
    "gen_ai.tool.message": TOOL_ROLE,
}
_CHOICE = "gen_ai.choice"
_PROMPT = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
_OUTPUT = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
_READ = (
    "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.details.cache_read_tokens", "llm.token_count.prompt_details.cache_read",
    "llm.token_count.prompt_details.cache_input",
)  # fmt: skip
_WRITTEN = (
    "gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens",
    "gen_ai.usage.details.cache_write_tokens", "llm.token_count.prompt_details.cache_write",
)  # fmt: skip
_REASONING = (
    "gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.details.reasoning_tokens",
    "llm.token_count.completion_details.reasoning",
)  # fmt: skip


class Told(NamedTuple):
    """Messages as they came: the system text's parts, what was sent (None: not told), and what was given."""

    system: list[Any]
    sent: list[Any] | None
    given: list[Any]


def told_by(span: Span) -> Told:
    """Return what a span tells of its messages, by the newest convention that it follows."""
    attributes = dict(span.attributes)
    for name, more in span.events:
        if name == _DETAILS:
            attributes |= more
    system = _listed(attributes.get(_SYSTEM), None)
    if _SENT in attributes or _GIVEN in attributes:
        sent = _listed(attributes[_SENT], USER) if _SENT in attributes else None
        return Told(system, sent, _listed(attributes.get(_GIVEN), ASSISTANT))
    for before, after in _DOTTED:
        sent, given = unfolded(attributes, before), unfolded(attributes, after)
        if sent or given:
            return Told(system, sent or None, given)
    return _by_events(span, system)


def _listed(value: Any, role: str | None) -> list[Any]:
    """Return a list of messages or parts: JSON as text or already parsed, or a plain text as one."""
    value = parsed(value)
    if value is None or value == "":
        return []
    many = value if isinstance(value, list) else [value]
    if role is None:
        return many
    return [{"role": role, "content": one} if isinstance(one, str) else one for one in many]


def _by_events(span: Span, system: list[Any]) -> Told:
    """Return what the events of a span tell; some keep them as JSON in an attribute."""
    kept = parsed(span.attributes.get("events"))
    events = [(str(one.get("event.name")), one) for one in objects_of(kept)]
    sent: list[Any] = []
    given: list[Any] = []
    for name, body in (*span.events, *events):
        if name in _SAID:
            sent.append({"role": _SAID[name], **body})
        elif name == _CHOICE:
            message = parsed(body.get("message"))
            made = message if isinstance(message, dict) else body
            given.append({**made, "role": ASSISTANT})
    if not given and span.attributes.get("output.mime_type") != "application/json":
        given = _listed(text_or_none(span.attributes, "output.value"), ASSISTANT)
    return Told(system, sent or None, given)


def usage_of(attributes: dict[str, Any]) -> Usage | None:
    """Return the usage that a span reports; the conventions count cached tokens in the prompt.

    Where an exporter does not, the cached part alone is larger, or the total says so.
    """
    prompt, output, read, written, reasoning = (
        next((found for key in keys if (found := figure(attributes, key))), 0)
        for keys in (_PROMPT, _OUTPUT, _READ, _WRITTEN, _REASONING)
    )
    if not prompt and not output:
        return None
    whole = figure(attributes, "gen_ai.usage.total_tokens") or figure(attributes, "llm.token_count.total")
    apart = read + written > prompt or whole == prompt + output + read + written
    if apart:
        return Usage(prompt, output, read, written, reasoning=reasoning)
    return whole_prompt(prompt, output, read, written, reasoning)


def model_of(attributes: dict[str, Any]) -> str | None:
    """Return the name of the model that answered, else of the one that was asked."""
    keys = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
    return next((name for key in keys if (name := text_or_none(attributes, key))), None)
