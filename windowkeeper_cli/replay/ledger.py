"""The ledger as bytes: one compact JSON object a line, the same on every machine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from windowkeeper_cli import __version__
from windowkeeper_cli.model.counter import CounterLabel
from windowkeeper_cli.model.ledger import LedgerHead, Step
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.unprintable import json_safe


def head(transcript: Transcript, label: CounterLabel, mode: str, policy: str, strategy: str) -> LedgerHead:
    """Return the ledger's first line: `policy` is the policy's id, the transcript is named by its bytes' SHA-256."""
    sha = transcript.files[0].sha256 if transcript.files else ""
    return LedgerHead(__version__, mode, sha, policy, strategy, label.name)


def ledger_lines(head_line: LedgerHead, steps: Iterable[Step]) -> Iterator[dict[str, object]]:
    """Yield every line of a session's ledger: the head, then for each visit its decisions and itself."""
    yield head_line.as_dict()
    for step in steps:
        if step.visit is not None:
            yield from (line.as_dict() for line in step.lines)
            yield step.visit.as_dict()


def line_bytes(line: Mapping[str, object]) -> bytes:
    """Return one ledger line with its LF, in UTF-8; what cannot be UTF-8 is written as U+FFFD.

    Control and format characters in its strings are JSON escapes, so that a ledger can be looked at in a terminal.
    """
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    try:
        body = text.encode()
    except UnicodeEncodeError:
        body = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text).encode()
    return json_safe(body) + b"\n"
