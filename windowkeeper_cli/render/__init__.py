"""Reports made into bytes: one renderer a module; knows no domain word."""

from __future__ import annotations

from windowkeeper_cli.model.registry import Registry

ENTRIES = (
    ("table", "page", "text that fits the terminal, unwrapped in a pipe"),
    ("json", "json_document", "one JSON document; windowkeeper man --schema has its shape"),
    ("jsonl", "json_lines", "JSON lines: the report's rows one by one; of explain --all the ledger"),
    ("csv", "csv_rows", "the report's rows, with a header line (RFC 4180)"),
    ("md", "md", "Markdown, to paste into a pull request"),
    ("html", "html", "one page for a browser, nothing loaded from elsewhere"),
    ("svg", "svg", "a picture of what the table prints, nothing loaded from elsewhere"),
    ("junit", "junit", "JUnit XML, for the test page of a CI server"),
    ("github", "github", "annotations of GitHub Actions"),
)
RENDERERS = Registry("format", "windowkeeper_cli.render", tuple((name, module) for name, module, _ in ENTRIES))


def text_of(name: str) -> str:
    """Return what help says of a format."""
    return next(text for entry, _, text in ENTRIES if entry == name)
