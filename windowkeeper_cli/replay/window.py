"""What does the model see at a call? The window as the fold has it, part by part."""

from __future__ import annotations

from windowkeeper_cli.model.sent import Window
from windowkeeper_cli.replay.acceptance.windows import sent_items
from windowkeeper_cli.replay.session import Session


def window_of(session: Session) -> Window:
    """Return the window of a session's last visit."""
    transcript, fold = session.transcript, session.fold
    return Window(transcript, tuple(sent_items(transcript, fold, range(fold.held))))


def window_at(session: Session, number: int) -> Window:
    """Visit a session's calls up to `number`, and return the window of that one."""
    for _ in session.steps(number):
        pass
    return window_of(session)
