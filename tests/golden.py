"""Golden ledgers: `python -m tests.golden` writes them anew; read the difference before you commit it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

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
    """Write every golden ledger."""
    for case in cases():
        (case / LEDGER).write_bytes(b"".join(ledger(case)))
        print(case.relative_to(ROOT) / LEDGER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
