"""How does a Claude Code session log become entries? One JSON object a line, a tree of parents, many side lines."""

from windowkeeper_cli.formats.claude_code.reader import SEVERAL_FILES, WHAT, read, recognise

__all__ = ["SEVERAL_FILES", "WHAT", "read", "recognise"]
