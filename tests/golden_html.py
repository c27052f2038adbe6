"""Golden pages: `python -m tests.golden` writes them anew; read the difference before you commit it.

Their style and script are left out, as they are files of their own; all else is what the commands write.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.house import ROOT
from windowkeeper_cli.cli.process import run

GOLDEN = ROOT / "fixtures" / "html"
SESSION = ("fixtures/small-explain/transcript.json", "--counter", "chars:4")
POLICY = "fixtures/small-explain/policy.json"
COMMANDS: dict[str, tuple[str, ...]] = {
    "explain": ("explain", *SESSION, "-p", POLICY, "--call", "5"),
    "dropped": ("dropped", *SESSION, "-p", POLICY),
    "diff": ("diff", *SESSION, "-p", "none", "-p", POLICY),
    "replay": ("replay", *SESSION, "-p", "none", "-p", POLICY),
}


def page(name: str) -> str:
    """Return the page that a command writes, without what its style sheet, script and their hashes are."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        if run([*COMMANDS[name], "-f", "html", "-o", str(file)]) != 0:
            raise RuntimeError(f"{name} failed")
        return bare(file.read_text("utf-8"))


def bare(text: str) -> str:
    """Return a page, a row a line, without its style sheet, script and hashes; rules for its own tables stay."""
    text = re.sub(r"sha256-[A-Za-z0-9+/=]+", "sha256-", text)
    style = text.partition("<style>")[2].partition("</style>")[0]
    own = "\n".join(rule for rule in style.split("\n") if rule.startswith(("#table-", "#frames-")))
    text = text.replace(style, f"\n{own}\n", 1).replace("<tr", "\n<tr")
    return re.sub(r"<script>.*?</script>", "<script></script>", text, count=1, flags=re.DOTALL)


def pages() -> Iterator[tuple[Path, str]]:
    """Yield each golden file with what it should hold."""
    for name in COMMANDS:
        yield GOLDEN / f"{name}.html", page(name)
