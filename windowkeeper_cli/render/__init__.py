"""Reports made into bytes: one renderer a module; knows no domain word."""

from __future__ import annotations

from windowkeeper_cli.model.registry import Registry

RENDERERS = Registry(
    "format",
    "windowkeeper_cli.render",
    (
        ("table", "page"),
        ("json", "json_document"),
        ("jsonl", "json_lines"),
        ("csv", "csv_rows"),
        ("md", "md"),
        ("junit", "junit"),
        ("github", "github"),
    ),
)
