"""What does a LangChain message say of its call? The input figure is the whole prompt, whatever the provider's is."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Reply
from windowkeeper_cli.formats.fields import detail, figure, text_or_none
from windowkeeper_cli.formats.usage import whole_prompt
from windowkeeper_cli.formats.wire.chat_completions import usage_of
from windowkeeper_cli.model.call import Usage


def reply_of(fields: dict[str, Any]) -> Reply:
    """Return what an AI message says of the call that made it."""
    made = fields.get("response_metadata")
    made = made if isinstance(made, dict) else {}
    model = next((name for key in ("model_name", "model", "model_id") if (name := text_or_none(made, key))), None)
    usage = _standard(fields.get("usage_metadata")) or usage_of(made.get("token_usage"))
    return Reply(text_or_none(fields, "id"), model, usage)


def _standard(told: Any) -> Usage | None:
    if not isinstance(told, dict) or type(told.get("input_tokens")) is not int:
        return None
    prompt, kept = figure(told, "input_tokens"), "input_token_details"
    read = detail(told, kept, "cache_read")
    written = detail(told, kept, "cache_creation")
    if not written:
        written = sum(detail(told, kept, f"ephemeral_{life}_input_tokens") for life in ("5m", "1h"))
    reasoning = detail(told, "output_token_details", "reasoning")
    return whole_prompt(prompt, figure(told, "output_tokens"), read, written, reasoning)
