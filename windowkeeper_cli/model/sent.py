"""What is sent at a call: items in the forms that they have in a window, and texts of ours between them."""

from __future__ import annotations

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple


class Sent(NamedTuple):
    """One item or stand-in as it stands in a window; `at` is None for a text of ours.

    `original` are the item's own blocks where it stands in another form. `completed` are ids of its calls that have
    no result anywhere in the log, and that the harness therefore answers itself when it sends them.
    """

    at: int | None
    role: str
    blocks: Blocks
    original: Blocks | None = None
    completed: tuple[str, ...] = ()


class Window(NamedTuple):
    """What the model sees at one call, in order, and the transcript whose items it shows."""

    transcript: Transcript
    parts: tuple[Sent, ...]


def whole(transcript: Transcript) -> Window:
    """Return the window that holds a whole transcript, each item in full."""
    return Window(transcript, tuple(Sent(item.at, item.role, transcript.blocks(item.at)) for item in transcript.items))
