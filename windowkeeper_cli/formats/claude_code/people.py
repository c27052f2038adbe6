"""Who wrote a user line: a person, or the harness in the person's name?"""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.formats.claude_code.lines import USER, Line, text_of
from windowkeeper_cli.model.block import Blocks, ToolResult

MACHINERY = (
    "<local-command-caveat>", "<local-command-stdout>", "<local-command-stderr>", "<task-notification>",
    "<bash-input>", "<bash-stdout>", "<bash-stderr>", "<system-reminder>", "[Request interrupted by user",
    "This session is being continued from a previous conversation", "Caveat: The messages below were generated",
)  # fmt: skip
COMMANDS = ("<command-name>", "<command-message>")
BLANKS = " \t\r\n"


def is_machinery(text: str) -> bool:
    """Return whether a text is the program's own: caveats, command output, notifications, interrupts."""
    return text.lstrip(BLANKS).startswith(MACHINERY)


def is_command(text: str) -> bool:
    """Return whether a text is the record of a slash command."""
    return text.lstrip(BLANKS).startswith(COMMANDS)


def expansions(lines: Sequence[Line]) -> dict[int, int]:
    """Return the positions of slash commands, each with that of the hidden line that spells it out.

    `lines` are those of the chain in order. A command without an expansion is one of the user interface.
    """
    found: dict[int, int] = {}
    before: Line | None = None
    for line in lines:
        if line.kind != USER or _only_results(line.blocks):
            continue
        text = text_of(line)
        if before is not None and line.meta and not is_machinery(text) and not is_command(text):
            found[before.pos] = line.pos
        before = line if not line.meta and is_command(text) else None
    return found


def is_person(line: Line, commands: dict[int, int]) -> bool:
    """Return whether a person typed the line's texts."""
    if line.meta or line.summary:
        return False
    text = text_of(line)
    if is_command(text):
        return line.pos in commands
    return not is_machinery(text)


def _only_results(blocks: Blocks) -> bool:
    if len(blocks) == 1:
        return type(blocks[0]) is ToolResult
    return bool(blocks) and all(type(block) is ToolResult for block in blocks)
