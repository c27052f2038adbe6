"""Which bytes does an input hold? Paths, standard input, plain bytes, gzip, zstd and zip; nothing is written."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

from windowkeeper_cli.formats.digest import Counted
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.transcript import FileFacts

CHUNK, HEAD = 1 << 18, 1 << 20
GZIP, ZSTD, ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
EXPANSION = 100
EXPANSION_FLOOR = 8 << 20
STDIN = "-"


class Opened:
    """One input: its name as the user gave it, and its bytes, streamed from a path or held in memory.

    After `lines` was read to its end, `facts` gives the size and the SHA-256 of the bytes as they are stored.
    `progress` is given the bytes just read.
    """

    def __init__(self, name: str, path: Path | None, data: bytes | None, facts: tuple[int, str] | None) -> None:
        self.name = name
        self.path = path
        self.data = data
        self._facts = facts
        self.progress: Callable[[int], object] | None = None
        self.records = 0
        self.size = 0

    def lines(self) -> Iterator[bytes]:
        """Yield the content line by line, each with its LF; raise InputError where it cannot be read."""
        if self.data is not None:
            yield from BytesIO(self.data)
            return
        assert self.path is not None
        try:
            with self.path.open("rb", buffering=0) as file:
                counted = Counted(file, self.progress)
                yield from BufferedReader(counted, CHUNK)
        except OSError as error:
            raise _unreadable(self.name, error) from error
        self._facts = (counted.size, counted.hex)

    def unhashed(self) -> Iterator[bytes]:
        """Yield the content as `lines` does, for a reader that asks for no hash; `size` counts the bytes read."""
        if self.data is not None:
            self.size = self._facts[0] if self._facts else 0
            yield from BytesIO(self.data)
            return
        assert self.path is not None
        try:
            with self.path.open("rb", buffering=CHUNK) as file:
                yield from file
                self.size = file.tell()
        except OSError as error:
            raise _unreadable(self.name, error) from error

    def head(self) -> bytes:
        """Return the first bytes of the content."""
        if self.data is not None:
            return self.data[:HEAD]
        assert self.path is not None
        try:
            with self.path.open("rb") as stream:
                return stream.read(HEAD)
        except OSError as error:
            raise _unreadable(self.name, error) from error

    def facts(self) -> FileFacts:
        """Return what is known of the input after it was read."""
        size, digest = self._facts or (0, "")
        return FileFacts(path=self.name, records=self.records, bytes=size, sha256=digest)


def open_path(name: str) -> Opened:
    """Return the input called `name` (`-` is standard input); raise InputError where there is none to read."""
    if name == STDIN:
        return open_bytes(sys.stdin.buffer.read(), "<stdin>")
    path = Path(name)
    try:
        if path.is_dir():
            raise InputError(
                "a folder is not a transcript", "name a file in it, or use `windowkeeper sessions`", where=name
            )
        with path.open("rb") as stream:
            head = stream.read(4)
            packed = head + stream.read() if _is_packed(head) else None
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error
    if packed is not None:
        return open_bytes(packed, name, path)
    return Opened(name, path, None, None)


def open_bytes(data: bytes, name: str, path: Path | None = None) -> Opened:
    """Return an input whose bytes are at hand, unpacked where they are compressed."""
    facts = (len(data), sha256(data).hexdigest())
    return Opened(name, path, unpacked(data, name), facts)


def unpacked(data: bytes, name: str) -> bytes:
    """Return gzip or zstd bytes unpacked, and the documents of a log's zip archive; others as they are.

    Raises InputError on damage or a bomb.
    """
    if data.startswith(GZIP):
        return _gunzip(data, name)
    if data.startswith(ZSTD):
        return _bounded(_unzstd(data, name, _limit(data)), data, name)
    if data.startswith(ZIP):
        # Few inputs are one, and start sooner without the decoder.
        from windowkeeper_cli.formats.zipped import unzipped

        found = unzipped(data, name, _limit(data), _unzstd)
        return data if found is None else _bounded(found, data, name)
    return data


def _bounded(found: bytes, data: bytes, name: str) -> bytes:
    if len(found) > _limit(data):
        raise _bomb(name, len(data))
    return found


def _is_packed(head: bytes) -> bool:
    return head.startswith((GZIP, ZSTD, ZIP))


def _limit(data: bytes) -> int:
    return max(EXPANSION_FLOOR, EXPANSION * len(data))


def _gunzip(data: bytes, name: str) -> bytes:
    limit, parts, size = _limit(data), [], 0
    rest = data
    try:
        while rest.startswith(GZIP):
            member = zlib.decompressobj(wbits=31)
            part = member.decompress(rest, limit - size + 1)
            size += len(part)
            parts.append(part)
            if size > limit:
                raise _bomb(name, len(data))
            if not member.eof:
                raise InputError("the gzip file is cut", "get a whole copy of it", where=name)
            rest = member.unused_data
    except zlib.error as error:
        raise InputError(f"the gzip file is damaged: {error}", "get a whole copy of it", where=name) from error
    return b"".join(parts)


def _unzstd(data: bytes, name: str, limit: int) -> bytes:
    """Return zstd bytes unpacked, or the first of them up to `limit` and one."""
    module = _zstd()
    if module is None:
        raise InputError(
            "zstd-compressed, and no zstd module is installed",
            "unpack it (`zstd -d`), or pip install 'windowkeeper-cli[zstd]'",
            where=name,
        )
    try:
        if hasattr(module, "ZstdDecompressor") and module.__name__ == "zstandard":
            part = module.ZstdDecompressor().stream_reader(data, read_across_frames=True).read(limit + 1)
        else:
            part = module.ZstdDecompressor().decompress(data, max_length=limit + 1)
    except Exception as error:
        raise InputError(f"the zstd file is damaged: {error}", "get a whole copy of it", where=name) from error
    return bytes(part)


def _zstd() -> Any:
    for module in ("compression.zstd", "zstandard"):
        try:
            return import_module(module)
        except ImportError:
            continue
    return None


def _bomb(name: str, size: int) -> InputError:
    return InputError(
        f"its {size:,} compressed bytes unpack to over {EXPANSION} times as much, which no log does",
        "unpack it yourself if you trust it",
        where=name,
    )


def _unreadable(name: str, error: Exception) -> InputError:
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot be read: {why}", "check the path", where=name)
