"""Building stones for the running examples of rules: messages in our own format, kept to a line each."""

from __future__ import annotations

Message = dict[str, object]
LONG = "log line " * 120
"""About 240 tokens, so that two of them pass the small limit of `tight`."""


def asks(text: str, **flags: object) -> Message:
    """Return a person's message."""
    return {"role": "user", "content": text, **flags}


def calls(number: int, tool: str = "read_log", **args: object) -> Message:
    """Return an assistant message that makes call `c<number>`."""
    call = {"id": f"c{number}", "name": tool, "args": args or {"n": number}}
    return {"role": "assistant", "content": "", "toolCalls": [call]}


def gives(number: int, text: str = LONG, **flags: object) -> Message:
    """Return the result of call `c<number>`."""
    return {"role": "tool", "toolCallId": f"c{number}", "content": text, **flags}


def session(*messages: Message, **top: object) -> dict[str, object]:
    """Return a transcript in our own format."""
    return {"format": "windowkeeper/1", "messages": list(messages), **top}


def tight(**sections: dict[str, object]) -> dict[str, object]:
    """Return a policy with a limit of 300 tokens, one recent turn and no latest result kept, then `sections`."""
    policy: dict[str, dict[str, object]] = {
        "budget": {"max": 300, "target": 40, "reserve": 0},
        "protect": {"recentTurns": 1},
        "toolResults": {"keepLatestPerTool": 0},
    }
    for name, section in sections.items():
        policy[name] = {**policy.get(name, {}), **section}
    return dict(policy)
