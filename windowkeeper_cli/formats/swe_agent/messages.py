"""What does one message of a trajectory hold? A chat-completions message with keys of SWE-agent's own."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.formats.openai_chat import entry_of, role_of
from windowkeeper_cli.formats.times import iso_of
from windowkeeper_cli.formats.wire.chat_completions import answer
from windowkeeper_cli.model.block import Think
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, TOOL, USER

ENDING = "exit"
"""The role of the message with which mini-swe-agent ends; no model sees it."""


def is_demonstration(value: dict[str, Any]) -> bool:
    """Return whether a message belongs to a demonstration, which nobody asked and no model answered."""
    return value.get("is_demo") is True


def made_of(message: Message, model: str | None) -> Entry | None:
    """Return the entry of a message, as one that no person wrote; None where its role is not known."""
    role = role_of(message.value)
    if role is None:
        return None
    value: dict[str, Any] = message.value
    if role == TOOL and "tool_call_id" not in value:
        idents = value.get("tool_call_ids")
        value = {**value, "tool_call_id": idents[0] if isinstance(idents, list) and idents else None}
    extra = value.get("extra")
    extra = extra if isinstance(extra, dict) else {}
    moment = extra.get("timestamp")
    made = entry_of(Message(value, message.origin, message.place), role)
    made = made._replace(timestamp=iso_of(moment * 1_000) if isinstance(moment, int | float) else None)
    if role == USER:
        return made._replace(authored_by=HARNESS, request=False)
    if role == ASSISTANT:
        found = answer(extra.get("response"))
        reply = Reply(model=model) if found is None else Reply(found.id, found.model or model, found.usage)
        thought = _thinking(value) if not any(isinstance(block, Think) for block in made.blocks) else ()
        return made._replace(blocks=(*thought, *made.blocks), reply=reply)
    return made


def _thinking(value: dict[str, Any]) -> tuple[Think, ...]:
    """Return the thinking that SWE-agent keeps beside a reply, with what the provider signed it with."""
    kept = value.get("thinking_blocks")
    return tuple(
        Think(block["thinking"], block["signature"] if isinstance(block.get("signature"), str) else None)
        for block in (kept if isinstance(kept, list) else ())
        if isinstance(block, dict) and isinstance(block.get("thinking"), str)
    )
