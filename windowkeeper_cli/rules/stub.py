"""Stubs: one line that stands for what was moved out, and names the id that brings it back."""

from __future__ import annotations

import re
from functools import lru_cache

from windowkeeper_cli.model.block import Blocks, Text, ToolCall, ToolResult, texts_of
from windowkeeper_cli.model.brief import arguments, first_line, one_line
from windowkeeper_cli.model.item import Item

TOOL_CHARS = 48
PLAIN = re.compile(r"[A-Za-z0-9_.:-]+")
"""A tool name that can stand for itself; another, and our own, is quoted, so that it cannot pose as our words."""


def stub_text(item: Item, blocks: Blocks, call_args: str, tokens: int) -> str:
    """Return the stub of an item of `tokens` tokens; transcript text in it is cut to one line and quoted."""
    head = f'[moved out: {subject_of(item, call_args)}, {tokens:,} tokens; recall("{item.id}")'
    outcome = outcome_of(item, blocks)
    return f"{head}; {outcome}]" if outcome else f"{head}]"


def args_of_call(calling: Blocks, tool_call_id: str | None) -> str:
    """Return the argument text of the call with that id, empty where the message has none."""
    for block in calling:
        if isinstance(block, ToolCall) and block.id == tool_call_id:
            return block.args
    return ""


def quoted(text: str) -> str:
    """Return one line of transcript text inside quotes that it cannot close."""
    return '"' + text.replace('"', "'") + '"'


def subject_of(item: Item, call_args: str) -> str:
    """Return what an item is in brief: the tool with its arguments, quoted, or the role of a message."""
    if not item.is_result:
        return f"{item.role} message"
    tool = _tool(item.tool_name or "unnamed tool")
    brief = arguments(call_args)
    return f"{tool}({quoted(brief)})" if brief and brief != "{}" else f"{tool}()"


@lru_cache(256)
def _tool(name: str) -> str:
    tool = one_line(name, TOOL_CHARS)
    return tool if PLAIN.fullmatch(tool) and tool.lower() != "recall" else quoted(tool)


def outcome_of(item: Item, blocks: Blocks) -> str:
    """Return how it came out in brief: `ok` or `error` and the first line, quoted."""
    line = next(filter(None, map(first_line, texts_of(blocks))), "")
    if not item.is_result:
        return quoted(line) if line else ""
    word = "error" if item.is_error else "ok"
    if line:
        return f"{word}: {quoted(line)}"
    return word if any(isinstance(part, Text) for part in _content(blocks)) else f"{word}, no text"


def _content(blocks: Blocks) -> tuple[object, ...]:
    return tuple(part for block in blocks if isinstance(block, ToolResult) for part in block.content)
