"""How do a harness's own messages come in and go out, as plain dicts and lists, for each provider?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.formats.values import from_value
from windowkeeper_cli.formats.writers.written import requested
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.item import NOTICE_PREFIX
from windowkeeper_cli.model.sent import Window, whole
from windowkeeper_cli.model.transcript import Transcript

Told = Callable[[str], object]
APIS = {"chat": "openai-chat", "responses": "openai-responses"}


def from_anthropic(messages: Any, *, system: Any = None) -> Transcript:
    """Return the transcript of a Messages API body or its list of messages, `system` beside it.

    Raises InputError where the values are no JSON.
    """
    if isinstance(messages, list):
        messages = {"messages": messages}
    if system is not None and isinstance(messages, dict):
        messages = {**messages, "system": system}
    return from_value(messages, "anthropic")


def to_anthropic(window: Window | Transcript, *, told: Told | None = None) -> dict[str, Any]:
    """Return `system` (where there is any) and `messages` as the Messages API accepts them.

    Each change that this took is said to `told`, as a sentence with its number.
    """
    return _body(window, "anthropic", told)


def from_openai(messages: Any, *, api: str | None = None) -> Transcript:
    """Return the transcript of a chat-completions body or list, or of Responses API items.

    `api` is `chat` or `responses`; without it, a body with `input`, or items that only the Responses API has, are
    taken for such. Raises UsageError for another `api`, InputError where the values are no JSON.
    """
    if api is None:
        items = messages if isinstance(messages, list) else [messages]
        is_items = any(isinstance(one, dict) and ("input" in one or _is_item(one)) for one in items)
        api = "responses" if is_items else "chat"
    if api == "chat" and isinstance(messages, list):
        messages = {"messages": messages}
    return from_value(messages, _format(api))


def to_openai(window: Window | Transcript, *, api: str = "chat", told: Told | None = None) -> dict[str, Any]:
    """Return `messages` as chat completions accept them, or with `api="responses"` `instructions` and `input`.

    Each change that this took is said to `told`. Raises UsageError for another `api`.
    """
    return _body(window, _format(api), told)


def is_drop_notice(message: Any) -> bool:
    """Return whether a user's message of any provider is a notice that turns have left: it begins as they all do."""
    if not isinstance(message, dict) or message.get("role", "user") != "user":
        return False
    content = message["parts"] if "parts" in message else message.get("content")
    if isinstance(content, list):
        content = content[0] if content else None
    if isinstance(content, dict):
        content = content.get("text")
    return isinstance(content, str) and content.startswith(NOTICE_PREFIX)


def _is_item(value: dict[str, Any]) -> bool:
    from windowkeeper_cli.formats.responses.items import TYPES

    return value.get("type") in (*TYPES, "message")


def _format(api: str) -> str:
    if api not in APIS:
        raise UsageError(f"unknown api {api!r}", f"known: {', '.join(APIS)}")
    return APIS[api]


def _body(window: Window | Transcript, target: str, told: Told | None) -> dict[str, Any]:
    written = requested(whole(window) if isinstance(window, Transcript) else window, target)
    for loss in written.losses if told is not None else ():
        told(loss.sentence)  # type: ignore[misc]
    return written.body
