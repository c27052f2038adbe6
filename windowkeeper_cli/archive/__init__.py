"""Where every item goes, verbatim, before anything may leave the window."""

from windowkeeper_cli.archive.archive import Archive
from windowkeeper_cli.archive.memory import MemoryArchive

__all__ = ["Archive", "MemoryArchive"]
