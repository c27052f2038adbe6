"""What is the SHA-256 of a file that is being read? Counted beside the reader, which needs the time for itself."""

from __future__ import annotations

from hashlib import sha256
from queue import SimpleQueue
from threading import Thread
from types import TracebackType

_ALONE = 4


class Digest:
    """A running SHA-256: after the first chunks another thread counts it; `hex` is there when the block is left."""

    def __init__(self) -> None:
        self.hex = ""
        self._hash = sha256()
        self._chunks = 0
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread: Thread | None = None

    def __enter__(self) -> Digest:
        return self

    def add(self, chunk: bytes) -> None:
        """Count the next bytes."""
        self._chunks += 1
        if self._chunks <= _ALONE:
            self._hash.update(chunk)
            return
        if self._thread is None:
            self._thread = Thread(target=self._run, name="windowkeeper-sha256", daemon=True)
            self._thread.start()
        self._queue.put(chunk)

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
        self.hex = self._hash.hexdigest()

    def _run(self) -> None:
        while (chunk := self._queue.get()) is not None:
            self._hash.update(chunk)
