"""Are these the bytes that were written? A record begins with what it is and the SHA-256 of all that follows."""

from __future__ import annotations

import json
from hashlib import sha256

from windowkeeper_cli.model.errors import ArchiveError

LOSSLESS = "surrogatepass"
"""How text goes to disk and back: a lone surrogate stays what it was."""


def sealed(kind: str, value: object) -> bytes:
    """Return a value of JSON's as a record; the same value makes the same bytes."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", LOSSLESS) + b"\n"
    return f"{kind} {sha256(body).hexdigest()}\n".encode() + body


def is_sealed(kind: str, record: bytes) -> bool:
    """Return whether a record is of that kind, and all of it as it was written."""
    head, _, body = record.partition(b"\n")
    return head == f"{kind} {sha256(body).hexdigest()}".encode()


def opened(kind: str, record: bytes) -> object:
    """Return the value of a record; raise ArchiveError where the bytes are not those that were written."""
    if not record:
        raise ArchiveError("it is empty")
    if not record.startswith(f"{kind} ".encode()):
        raise ArchiveError(f"it does not begin with {kind}")
    if not is_sealed(kind, record):
        raise ArchiveError("its bytes are not those that were written")
    try:
        value: object = json.loads(record.partition(b"\n")[2].decode("utf-8", LOSSLESS))
    except (ValueError, RecursionError) as error:
        raise ArchiveError("its bytes are as written, and no JSON") from error
    return value
