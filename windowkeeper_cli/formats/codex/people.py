"""Who wrote a user message of a rollout file: a person, or the harness in the person's name?

What a person typed is shown again by an event with the same text; what Codex adds is not.
"""

from __future__ import annotations

from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.item import PERSON

MACHINERY = (
    "<environment_context>", "<user_instructions>", "<turn_aborted>", "<skill>", "<user_shell_command>",
    "<subagent_notification>", "<permissions instructions>", "<collaboration_mode>", "# AGENTS.md instructions",
    "<ENVIRONMENT_CONTEXT>", "<INSTRUCTIONS>", "<image_generation>", "<model_switch>", "<hook_prompt",
)  # fmt: skip
"""How the messages begin that Codex writes itself; they tell where a file has no events of what was typed."""
_NEAR = 8
"""Messages back that an event may show."""
_BLANKS = " \t\r\n"


class People:
    """Marks the entries that persons wrote, as their messages and the events that show them come by."""

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._open: list[int] = []
        self._shown: list[str] = []
        self._told = False

    def sent(self, at: int) -> None:
        """Take the user message at `at`; it is the harness's until an event shows it."""
        texts = _texts(self._entries[at])
        shown = next((text for text in self._shown if text in texts), None)
        if shown is None:
            self._open.append(at)
        else:
            self._shown.remove(shown)
            self._mark(at)

    def shown(self, message: object) -> None:
        """Take the event that shows what a person typed."""
        self._told = True
        text = message.strip(_BLANKS) if isinstance(message, str) else ""
        fits = [at for at in self._open[-_NEAR:] if text in _texts(self._entries[at])]
        if fits:
            self._open.remove(fits[-1])
            self._mark(fits[-1])
        elif text:
            self._shown.append(text)

    def cut(self, upto: int) -> None:
        """Forget the entries from `upto` on."""
        self._open = [at for at in self._open if at < upto]

    def close(self) -> None:
        """Decide on what no event told of: where there are no events at all, by how the messages begin."""
        for at in self._open if not self._told else ():
            first = self._entries[at].blocks[:1]
            text = first[0].text if first and isinstance(first[0], Text) else ""
            if not text.lstrip(_BLANKS).startswith(MACHINERY):
                self._mark(at)

    def _mark(self, at: int) -> None:
        self._entries[at] = self._entries[at]._replace(authored_by=PERSON, request=True)


def _texts(entry: Entry) -> set[str]:
    """Return the texts that an event may show a message with: each of its parts, and all of them."""
    parts = [block.text for block in entry.blocks if isinstance(block, Text)]
    return {text.strip(_BLANKS) for text in (*parts, "".join(parts), "\n".join(parts))}
