"""How a report looks as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator

from windowkeeper_cli.model.unprintable import json_safe
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sheet import Report


def render(report: Report, style: Style) -> Iterator[bytes]:  # noqa: ARG001
    """Yield the report's document, indented, in UTF-8, with one LF at its end."""
    yield document_bytes(report.document())


def document_bytes(document: dict[str, object]) -> bytes:
    """Return a document as JSON; a lone surrogate becomes U+FFFD, what a terminal obeys is a JSON escape."""
    import orjson

    try:
        body = orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        text = json.dumps(document, ensure_ascii=False, indent=2)
        body = (without_surrogates(text) + "\n").encode()
    return json_safe(body)


def without_surrogates(text: str) -> str:
    """Return `text` with U+FFFD for every lone surrogate."""
    return text.translate(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))
