"""How does a body read as JSON? Each key on a line, each element of a list on its own; what no UTF-8 holds escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.model.unprintable import json_safe

_SURROGATE = re.compile("[\ud800-\udfff]")


def chunks(body: dict[str, Any]) -> Iterator[bytes]:
    """Yield the bytes of a body, with one LF at its end; control and format characters stand as escapes."""
    yield b"{"
    for n, (key, value) in enumerate(body.items()):
        yield (",\n" if n else "\n").encode() + _bytes(key) + b": "
        if isinstance(value, list) and value:
            for m, element in enumerate(value):
                yield (b",\n  " if m else b"[\n  ") + _bytes(element)
            yield b"\n]"
        else:
            yield _bytes(value)
    yield b"\n}\n"


def _bytes(value: Any) -> bytes:
    text = compact(value)
    try:
        return json_safe(text.encode())
    except UnicodeEncodeError:
        return json_safe(_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode())
