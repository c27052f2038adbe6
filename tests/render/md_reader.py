"""What a reader of GitHub's tables makes of a page of Markdown: its tags, its texts, and which of them are code."""

from __future__ import annotations

from html.parser import HTMLParser

from markdown_it import MarkdownIt


class Reader(HTMLParser):
    """Collects from a page of HTML the texts by whether they are code, and the tags."""

    def __init__(self) -> None:
        super().__init__()
        self.plain: list[str] = []
        self.all: list[str] = []
        self.tags: list[str] = []
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.tags.append(tag)
        self.depth += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "code"

    def handle_data(self, data: str) -> None:
        self.all.append(data)
        if not self.depth:
            self.plain.append(data)


def read(markdown: str) -> Reader:
    """Return what a reader of GitHub's tables makes of a text."""
    reader = Reader()
    reader.feed(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown))
    return reader
