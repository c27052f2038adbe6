"""What does one item of the Responses API hold: whose is it, which blocks, which call?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.call_text import call_of_text
from windowkeeper_cli.formats.content import other, result_content, type_name
from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.model.block import Blocks, Text, Think, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, SYSTEM, TOOL, USER, CallRef
from windowkeeper_cli.model.value import NamedTuple

COMPACTION, REASONING, MESSAGE, REFERENCE = "compaction", "reasoning", "message", "item_reference"
ROLES = {"user": USER, "assistant": ASSISTANT, "system": SYSTEM, "developer": SYSTEM}
CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
    "computer_call": "action",
    "tool_search_call": "arguments",
}
"""Calls that the harness carries out, and the key of what they ask for; one without a call id is the provider's."""
OUTPUTS = {
    "function_call_output": "output",
    "custom_tool_call_output": "output",
    "local_shell_call_output": "output",
    "shell_call_output": "output",
    "apply_patch_call_output": "output",
    "computer_call_output": "output",
    "tool_search_output": "tools",
}
HOSTED = frozenset(
    (
        "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call",
        "mcp_list_tools", "mcp_approval_request", REFERENCE,
    )
)  # fmt: skip
"""What the provider did on its own in the middle of a reply: kept verbatim."""
APPROVAL = "mcp_approval_response"
COMPACTIONS = frozenset((COMPACTION, "compaction_summary", "context_compaction"))
TYPES = frozenset((*CALLS, *OUTPUTS, *HOSTED, *COMPACTIONS, REASONING, APPROVAL))
"""Types that only this API's items have; `message` is others' too."""
KNOWN = TYPES | {"input_image", "input_file", "input_audio", "output_image", "refusal", "computer_screenshot"}
PARTS = frozenset(("input_text", "output_text", "input_image", "input_file", "input_audio"))
_TEXTS = frozenset(("input_text", "output_text", "text", "summary_text", "reasoning_text"))


class Item(NamedTuple):
    """One item: its role, who wrote it, its blocks, and the reference of the call that it makes.

    `kind` is its type, `id` the API's own name for it.
    """

    role: str
    author: str
    blocks: Blocks
    kind: str
    id: str | None = None
    ref: CallRef | None = None


def item_of(value: Any) -> Item | None:
    """Return what an item holds, None where it is a message of no known role or no object at all."""
    if not isinstance(value, dict):
        return None
    kind = type_name(value)
    ident = value.get("id")
    ident = ident if isinstance(ident, str) else None
    if kind == MESSAGE or (isinstance(value.get("role"), str) and kind not in TYPES):
        return _message(value, ident)
    if kind == REASONING:
        return Item(ASSISTANT, MODEL, (reasoning_of(value),), kind, ident)
    if kind in CALLS and isinstance(value.get("call_id"), str):
        name = value.get("name")
        name = name if isinstance(name, str) and name else kind.removesuffix("_call")
        block, ref = call_of_text(value["call_id"], name, value.get(CALLS[kind]))
        return Item(ASSISTANT, MODEL, (block,), kind, ident, ref)
    if kind in OUTPUTS and (kind != "tool_search_output" or isinstance(value.get("call_id"), str)):
        answered = value.get("call_id")
        answered = answered if isinstance(answered, str) else ident or ""
        return Item(TOOL, TOOL, (_result(answered, value.get(OUTPUTS[kind])),), kind, ident)
    if kind in COMPACTIONS:
        return Item(USER, HARNESS, (other(value),), kind, ident)
    if kind == APPROVAL:
        return Item(USER, PERSON, (other(value),), kind, ident)
    return Item(ASSISTANT, MODEL, (other(value),), kind, ident)


def _result(ident: str, output: Any) -> ToolResult:
    """Return what a tool gave: a text or parts, in Codex's first versions an object of content and success."""
    if isinstance(output, dict) and "content" in output and "type" not in output:
        return ToolResult(ident, None, output.get("success") is False, contents(output["content"]))
    return ToolResult(ident, None, False, contents(output))


def contents(value: Any) -> tuple[Any, ...]:
    """Return the texts and the blocks kept verbatim of a message's content, or of a tool's output."""
    return result_content(value, _TEXTS)


def is_request(item: Item) -> bool:
    """Return whether an item is a user's message."""
    return item.role == USER and item.kind not in COMPACTIONS and item.kind != APPROVAL


def _message(value: dict[str, Any], ident: str | None) -> Item | None:
    role = ROLES.get(str(value.get("role")))
    if role is None:
        return None
    author = {USER: PERSON, ASSISTANT: MODEL}.get(role, HARNESS)
    return Item(role, author, contents(value.get("content")), MESSAGE, ident)


def reasoning_of(value: dict[str, Any]) -> Think:
    """Return the reasoning's text where the item holds it, else its summaries; the encrypted form is its signature."""
    texts = [
        [block.text for block in contents(value.get(key)) if isinstance(block, Text)] for key in ("content", "summary")
    ]
    sig = value.get("encrypted_content")
    return Think("\n\n".join(texts[0] or texts[1]), sig if isinstance(sig, str) else None)


def key_of(value: dict[str, Any]) -> str:
    """Return what a compaction is known by when it is sent back."""
    sealed = value.get("encrypted_content")
    return sealed if isinstance(sealed, str) else compact(value)
