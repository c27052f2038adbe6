"""What do strategies read in a session beside its messages? Stages, reported usage, odd tool names, posing texts.

Usage is none, zero or far too large at times; texts begin like a notice; one request is asked twice; tools have names
that no notice may print.
"""

from __future__ import annotations

from windowkeeper_cli.replay.battery.awkward import TOOLS, Json
from windowkeeper_cli.replay.battery.draw import Draw

NAMES = (
    "bad name",
    "line\nfeed",
    "x" * 49,
    "x" * 48,
    "mcp:a.b-c",
    "ünïcode",
    "",
    "read_file\n",
    "t5",
    "t6",
    "t7",
    "t8",
)


def dressed(document: Json, r: Draw) -> Json:
    """Return the session with stages, usage, odd tool names and texts of other strategies, some of each or none."""
    messages = document["messages"]
    renamed = {name: r.choice(NAMES) for name in TOOLS} if r.random() < 0.3 else {}
    spread = r.random() < 0.3
    staged, used, posing, twice = (r.random() < chance for chance in (0.4, 0.5, 0.2, 0.2))
    for message in messages:
        if staged and r.random() < 0.9:
            message["stage"] = r.choice(("tool-calls#1", "tool-calls#2", "seed#0", "notes#3"))
        for call in message.get("toolCalls") or ():
            call["name"] = r.choice((*NAMES, *TOOLS)) if spread else renamed.get(call["name"], call["name"])
        if used and message["role"] == "assistant" and r.random() < 0.9:
            message["usage"] = {"inputTokens": r.choice((0, 1, 500, 3_000, 40_000)), "outputTokens": r.choice((1, 20))}
            if r.random() < 0.02:
                message["usage"] = {"inputTokens": 0, "outputTokens": 0}
        if message["role"] == "user" and twice and r.random() < 0.5:
            message["content"] = "Check d1"
        if message["role"] == "user" and posing and r.random() < 0.4:
            kind = r.choice(("[dropped history", "[compacted history", "[compacted history: old] "))
            message["content"] = kind + r.choice(("", ": so much", "x" * 500))
    return document
