"""What is the SHA-256 of a file that is being read, and how far is it?"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from io import FileIO, RawIOBase
from typing import Any


class Counted(RawIOBase):
    """A file whose bytes are counted into a SHA-256 as they are read; `progress` is given how many there were.

    Another thread for the SHA-256 would have to wait for its turn at each piece, and hold what is not counted yet.
    """

    def __init__(self, file: FileIO, progress: Callable[[int], object] | None = None) -> None:
        self.size = 0
        self._file = file
        self._hash = sha256()
        self._progress = progress

    @property
    def hex(self) -> str:
        """Return the SHA-256 of the bytes read so far in hex digits."""
        return self._hash.hexdigest()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        count = self._file.readinto(buffer)
        if count:
            self._hash.update(memoryview(buffer)[:count])
            self.size += count
            if self._progress is not None:
                self._progress(count)
        return count
