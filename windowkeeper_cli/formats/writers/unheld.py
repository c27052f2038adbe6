"""What does our own format say of messages and calls that no other one has a place for?"""

from __future__ import annotations

from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.model.item import HARNESS, USER
from windowkeeper_cli.model.transcript import Transcript


def count_unheld(transcript: Transcript, losses: Losses) -> None:
    """Count what a transcript says beside its messages' contents."""
    items, calls = transcript.items, transcript.calls
    losses.add(
        "marks of user messages that no person wrote, left out",
        sum(_is_injected(transcript, at) for at in range(len(items))),
    )
    flagged = sum(bool(i.pinned or i.tags or i.ttl_turns is not None or i.effect or i.stage) for i in items)
    losses.add("flags of messages (pinned, tags, ttlTurns, effect, stage), left out", flagged)
    losses.add("times of messages, left out", sum(item.timestamp is not None for item in items))
    losses.add("reported usage of calls, left out", sum(call.usage is not None for call in calls))
    losses.add("names of replies (message ids), left out", sum(call.message_id is not None for call in calls))
    losses.add("recorded events (compactions, cleared results), left out", len(transcript.events))
    losses.add("the pause that the run waits in, left out", transcript.paused is not None)
    losses.add("subagents, transcripts of their own (--agent ID chooses one)", len(transcript.agents))


def _is_injected(transcript: Transcript, at: int) -> bool:
    item = transcript.items[at]
    return item.role == USER and item.authored_by == HARNESS
