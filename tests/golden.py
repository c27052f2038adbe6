"""Golden files: `python -m tests.golden` writes ledgers, reports and pages anew; read the difference before you commit.

A golden report that is no longer made is removed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tests import golden_html, golden_reports
from tests.house import ROOT
from windowkeeper_cli.cli.policies import from_file
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.ledger import head, ledger_lines, line_bytes
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts

FIXTURES = ROOT / "fixtures"
LEDGER = "ledger.jsonl"


def cases() -> list[Path]:
    """Return every fixture folder with a transcript and a policy, in order."""
    return sorted(path.parent for path in FIXTURES.rglob("policy.json") if (path.parent / "transcript.json").is_file())


def parts(case: Path) -> tuple[Transcript, Counts, Settings, str]:
    """Return a case's transcript, its counts by estimate, its settings and the id of its policy."""
    transcript = load(str(case / "transcript.json"))
    policy = from_file(str(case / "policy.json"))
    return transcript, counts(transcript, "estimate"), policy.settings, policy.id


def ledger(case: Path) -> Iterator[bytes]:
    """Yield the lines of a case's ledger."""
    transcript, counted, settings, policy = parts(case)
    first = head(transcript, counted.counter.label, "what-if", policy, settings.strategy)
    for line in ledger_lines(first, Session(transcript, counted, settings).steps()):
        yield line_bytes(line)


def main() -> int:
    """Write every golden file, from the project's folder."""
    os.chdir(ROOT)
    for case in cases():
        _write(case / LEDGER, b"".join(ledger(case)))
    for golden in (golden_html, golden_reports):
        made = {path: text.encode() for path, text in golden.pages()}
        for path, body in made.items():
            _write(path, body)
        for path in golden.GOLDEN.iterdir():
            if path not in made:
                path.unlink()
    return 0


def _write(path: Path, body: bytes) -> None:
    """Write a file where it would change, and name it."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_bytes() != body:
        path.write_bytes(body)
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main())
