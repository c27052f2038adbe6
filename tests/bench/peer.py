"""How much faster is a sliding window here than what a user would pick instead? Goal 10, against `langchain_core`.

`trim_messages` is called before every call of the log with the messages so far, as an agent's loop does, for the
newest messages within the same budget, the system text kept. Its messages are made beforehand, and are not timed. Two
rows: each side counts for itself, the peer its approximate way, at every call anew; and both are given the counts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from windowkeeper_cli.model.block import ToolCall, texts_of
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, TOOL
from windowkeeper_cli.model.settings import Settings, SlidingTokens
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts

PEER = "langchain_core"
GOAL = ">= 100x"
RUNS = 3


def sliding(transcript: Transcript, counted: Counts, limit: int) -> list[tuple[str, str, str, str]]:
    """Return the rows of goal 10 at a limit in tokens; one that says so where the peer is not installed."""
    if find_spec(PEER) is None:
        return [("10", "sliding window, against trim_messages", "no peer", f"{GOAL} (the extra `bench` has it)")]
    settings = replace(Settings("sliding-tokens"), sliding_tokens=SlidingTokens(limit))
    counting = took(lambda: counts(transcript, "estimate"))
    mine = min(took(lambda: list(Session(transcript, counted, settings).steps())) for _ in range(RUNS))
    messages = messages_of(transcript)
    tokens = {id(message): count for message, count in zip(messages, counted.tokens, strict=True)}

    def given(many: list[Any]) -> int:
        return sum(tokens[id(one)] for one in many)

    its_own = took(lambda: trimmed(transcript, messages, limit, "approximate")) / (counting + mine)
    by_figures = min(took(lambda: trimmed(transcript, messages, limit, given)) for _ in range(RUNS)) / mine
    return [
        ("10", "sliding window, trim_messages, both counting", f"{its_own:.0f}x", GOAL),
        ("10", "sliding window, trim_messages, both given counts", f"{by_figures:.1f}x", "none"),
    ]


def took(work: Callable[[], object]) -> float:
    """Return processor seconds."""
    started = time.process_time()
    work()
    return time.process_time() - started


def trimmed(transcript: Transcript, messages: list[Any], limit: int, counter: Any) -> int:
    """Let the peer trim before every call; return how many messages stood in all windows together."""
    trim = import_module(f"{PEER}.messages").trim_messages
    options = {"max_tokens": limit, "token_counter": counter, "strategy": "last", "include_system": True}
    return sum(len(trim(messages[: call.at], **options)) for call in transcript.all_calls())


def messages_of(transcript: Transcript) -> list[Any]:
    """Return the items as the peer's messages."""
    kinds = import_module(f"{PEER}.messages")
    made: list[Any] = []
    for item in transcript.items:
        blocks = transcript.blocks(item.at)
        text = "\n".join(texts_of(blocks))
        if item.role == TOOL:
            made.append(kinds.ToolMessage(content=text, tool_call_id=item.tool_call_id or ""))
        elif item.role == ASSISTANT:
            calls = [block for block in blocks if isinstance(block, ToolCall)]
            made.append(kinds.AIMessage(content=text, tool_calls=[_call(call) for call in calls]))
        else:
            made.append((kinds.SystemMessage if item.role == SYSTEM else kinds.HumanMessage)(content=text))
    return made


def _call(call: ToolCall) -> dict[str, Any]:
    return {"name": call.name, "args": json.loads(call.args), "id": call.id}
