"""What is the SHA-256 of a file that is being read? Counted beside the reader, which needs the time for itself."""

from __future__ import annotations

from hashlib import sha256
from io import FileIO, RawIOBase
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from queue import SimpleQueue
    from threading import Thread
    from types import TracebackType

_ALONE = 16


class Digest:
    """A running SHA-256: after the first chunks another thread counts it; `hex` is there when the block is left.

    `size` counts the bytes.
    """

    def __init__(self) -> None:
        self.hex = ""
        self.size = 0
        self._hash = sha256()
        self._chunks = 0
        self._queue: SimpleQueue[bytes | None] | None = None
        self._thread: Thread | None = None

    def __enter__(self) -> Digest:
        return self

    def add(self, chunk: bytes) -> None:
        """Count the next bytes."""
        self.size += len(chunk)
        self._chunks += 1
        if self._chunks <= _ALONE:
            self._hash.update(chunk)
            return
        if self._queue is None:
            self._queue = self._start()
        self._queue.put(chunk)

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._queue is not None and self._thread is not None:
            self._queue.put(None)
            self._thread.join()
        self.hex = self._hash.hexdigest()

    def _start(self) -> SimpleQueue[bytes | None]:
        # A small file needs no thread, and starts sooner without these.
        from queue import SimpleQueue
        from threading import Thread

        queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = Thread(target=self._run, args=(queue,), name="windowkeeper-sha256", daemon=True)
        self._thread.start()
        return queue

    def _run(self, queue: SimpleQueue[bytes | None]) -> None:
        while (chunk := queue.get()) is not None:
            self._hash.update(chunk)


class Counted(RawIOBase):
    """A file whose bytes go into a digest as they are read."""

    def __init__(self, file: FileIO, digest: Digest) -> None:
        self._file = file
        self._digest = digest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        count = self._file.readinto(buffer)
        if count:
            self._digest.add(bytes(buffer[:count]))
        return count
