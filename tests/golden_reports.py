"""Golden reports: what each prints at two widths, one as Markdown, one as a picture; `python -m tests.golden` writes.

A report that a session fits best is shown on that session; every command that makes sheets is here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.house import ROOT
from windowkeeper_cli.cli.process import run

GOLDEN = ROOT / "fixtures" / "golden"
WIDTHS = (80, 120)
FORGOTTEN = "fixtures/forgotten/session.jsonl"
REDIS = "fixtures/redis-auth/transcript.json"
REDIS_POLICY = "fixtures/redis-auth/policy.json"
GATE = "fixtures/gate/sessions"
GATE_POLICY = "fixtures/gate/policy.toml"
COMMANDS: dict[str, tuple[str, ...]] = {
    "explain": ("explain", REDIS, "-p", REDIS_POLICY),
    "explain-recorded": ("explain", FORGOTTEN, "--call", "9"),
    "trace": ("trace", FORGOTTEN, "round.ts", "--call", "12"),
    "refusals": ("refusals", REDIS, "-p", REDIS_POLICY),
    "dropped": ("dropped", FORGOTTEN),
    "gaps": ("gaps", FORGOTTEN),
    "diff": ("diff", REDIS, "-p", "none", "-p", REDIS_POLICY),
    "diff-folder": ("diff", GATE, "-p", "none", "-p", GATE_POLICY),
    "replay": ("replay", REDIS, "-p", "none", "-p", "sliding-tokens", "-p", "windowkeeper", "--limit", "6k"),
    "replay-folder": ("replay", GATE, "-p", "none", "-p", GATE_POLICY),
    "replay-recorded": ("replay", FORGOTTEN, "-p", "recorded", "-p", "windowkeeper", "--limit", "1000"),
    "check": ("check", GATE, "-p", GATE_POLICY, "--max", "gaps=0"),
    "sessions": ("sessions", GATE),
    "info": ("info", FORGOTTEN),
    "policy-list": ("policy", "list"),
    "policy-show": ("policy", "show", "-p", REDIS_POLICY),
    "policy-check": ("policy", "check", REDIS_POLICY),
    "rules": ("rules",),
    "rules-one": ("rules", "latest-of-tool"),
}
OTHERWISE = {"diff.md": "diff", "replay.svg": "replay"}
"""Files of other formats, and the reports that they show."""


def written(*command: str) -> str:
    """Return what a command writes to a file; raise RuntimeError where it could not."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report"
        if run([*command, "-o", str(file)]) not in (0, 1):
            raise RuntimeError(f"{' '.join(command)} failed")
        return file.read_text("utf-8")


def shown(name: str) -> str:
    """Return what a golden file should hold."""
    if name in OTHERWISE:
        return written(*COMMANDS[OTHERWISE[name]], "-f", Path(name).suffix[1:])
    report, width, _ = name.split(".")
    return written(*COMMANDS[report], "--width", width)


def names() -> tuple[str, ...]:
    """Return the names of the golden files."""
    return (*(f"{report}.{width}.txt" for report in COMMANDS for width in WIDTHS), *OTHERWISE)


def pages() -> Iterator[tuple[Path, str]]:
    """Yield each golden file with what it should hold."""
    for name in names():
        yield GOLDEN / name, shown(name)
