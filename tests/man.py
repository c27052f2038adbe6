"""The manual's files: `python -m tests.man` writes them anew from the texts in the code; read the difference."""

from __future__ import annotations

from functools import cache

from tests.house import ROOT
from windowkeeper_cli.cli.manual.mdoc import mdoc
from windowkeeper_cli.cli.manual.pages import page_of, refs

MAN = ROOT / "man"


@cache
def made() -> dict[str, str]:
    """Return the source of every page by the name of its file, below the folder of its section."""
    return {f"man{ref.number}/{ref.file}": mdoc(page_of(ref)) for ref in refs()}


def main() -> None:
    """Write every page, and remove those that there are no more."""
    pages = made()
    for name, text in pages.items():
        path = MAN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for path in MAN.glob("man*/*"):
        if str(path.relative_to(MAN)) not in pages:
            path.unlink()


if __name__ == "__main__":
    main()
