"""How is the recall tool told to a provider? One description, in each provider's schema, as plain dicts."""

from __future__ import annotations

from typing import Any

NAME = "recall"
DESCRIPTION = (
    "Brings back, word for word, something that has left this conversation's window. Stubs and notices name the id: "
    'recall("<id>"). The id of a notice lists what left with the id of each part.'
)


def _schema() -> dict[str, Any]:
    named = {"type": "string", "description": "The id that a stub, a marker or a notice names: 12 hex digits."}
    return {"type": "object", "properties": {"id": named}, "required": ["id"], "additionalProperties": False}


def anthropic() -> dict[str, Any]:
    """Return the tool as the Messages API takes it."""
    return {"name": NAME, "description": DESCRIPTION, "input_schema": _schema()}


def openai() -> dict[str, Any]:
    """Return the tool as chat completions take it."""
    return {"type": "function", "function": {"name": NAME, "description": DESCRIPTION, "parameters": _schema()}}


def openai_responses() -> dict[str, Any]:
    """Return the tool as the Responses API takes it."""
    return {"type": "function", "name": NAME, "description": DESCRIPTION, "parameters": _schema(), "strict": True}


def ai_sdk() -> dict[str, Any]:
    """Return the tool as a function tool of the AI SDK, its schema under `inputSchema`."""
    return {"type": "function", "name": NAME, "description": DESCRIPTION, "inputSchema": _schema()}
