"""Which JSON documents does a zip file hold? An Inspect log's: its samples one by one, then its header."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from io import BytesIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from windowkeeper_cli.model.errors import InputError

_STORED, _DEFLATED, _ZSTD = 0, 8, 93
_ENCRYPTED = 1
_LOCAL = 30
_SAMPLES = "samples/"
_HEADERS = ("header.json", "_journal/start.json")
"""The journal's is there alone while the evaluation runs, or where it was broken off."""
_WHOLE = "get a whole copy of it"
Unzstd = Callable[[bytes, str, int], bytes]
"""Unpacks zstd bytes, of a file called so, to no more than so many bytes and one."""


def unzipped(data: bytes, name: str, limit: int, unzstd: Unzstd) -> bytes | None:
    """Return the documents of an archive, each behind a LF; None where it holds no such ones.

    Stops at one byte over `limit`: whoever asks sees by it that the archive holds more. Raises InputError on damage.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            members = {info.filename: info for info in archive.infolist()}
    except (BadZipFile, NotImplementedError, ValueError, OSError) as error:
        if not any(path.encode() in data for path in (_SAMPLES, *_HEADERS)):
            return None
        raise InputError(f"the zip file is cut or damaged: {error}", _WHOLE, where=name) from error
    wanted = [path for path in members if path.startswith(_SAMPLES) and path.endswith(".json")]
    wanted += [path for path in _HEADERS if path in members][:1]
    parts: list[bytes] = []
    room = limit
    for path in wanted:
        part = _member(data, members[path], name, room, unzstd)
        parts.append(part)
        room -= len(part)
        if room < 0:
            break
    return b"\n".join(parts) if wanted else None


def _member(data: bytes, info: ZipInfo, name: str, room: int, unzstd: Unzstd) -> bytes:
    """Return one member unpacked, or its first `room` bytes and one."""
    if info.flag_bits & _ENCRYPTED:
        raise InputError(f"{info.filename!r} in the zip file is encrypted", "unpack it first", where=name)
    head = info.header_offset
    names = int.from_bytes(data[head + 26 : head + 28], "little") + int.from_bytes(
        data[head + 28 : head + 30], "little"
    )
    start = head + _LOCAL + names
    packed = data[start : start + info.compress_size]
    if len(packed) < info.compress_size:
        raise InputError(f"the zip file is cut inside {info.filename!r}", _WHOLE, where=name)
    try:
        found = _unpacked(packed, info, name, room, unzstd)
    except zlib.error as error:
        raise InputError(f"{info.filename!r} in the zip file is damaged: {error}", _WHOLE, where=name) from error
    if len(found) <= room and zlib.crc32(found) != info.CRC:
        raise InputError(f"{info.filename!r} in the zip file is damaged: its checksum differs", _WHOLE, where=name)
    return found


def _unpacked(packed: bytes, info: ZipInfo, name: str, room: int, unzstd: Unzstd) -> bytes:
    if info.compress_type == _STORED:
        return packed[: room + 1]
    if info.compress_type == _DEFLATED:
        return zlib.decompressobj(wbits=-zlib.MAX_WBITS).decompress(packed, room + 1)
    if info.compress_type == _ZSTD:
        return unzstd(packed, name, room)
    raise InputError(f"{info.filename!r} in the zip file is packed in an unknown way", "unpack it first", where=name)
