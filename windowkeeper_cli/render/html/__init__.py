"""How a report looks as one page for a browser, with nothing from elsewhere: readable without its script."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from importlib.resources import files

from windowkeeper_cli.render.html.frames import frames
from windowkeeper_cli.render.html.page import Page
from windowkeeper_cli.render.html.table import table
from windowkeeper_cli.render.html.text import phrase, safe
from windowkeeper_cli.render.html.timeline import timeline
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.render.words import text_of
from windowkeeper_cli.report.sheet import Block, Chart, Command, Line, Lines, Prose, Report, Sheet, Table
from windowkeeper_cli.report.story import Frames, Storied, Story, Timeline

CHART_WIDTH = 100
POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
    "style-src 'sha256-{style}'; script-src {script}"
)


def render(report: Report, style: Style) -> Iterator[bytes]:  # noqa: ARG001
    """Yield the report's story, or its page where it has none, as HTML in UTF-8; it loads nothing and sends nothing."""
    story = report.story() if isinstance(report, Storied) else report.sheet()
    page = Page()
    body = [part for block in story.blocks for part in _block(block, page)]
    stepped = bool(page.timelines or page.frames)
    needs_script = stepped or any("data-filter" in part for part in body)
    css = _own("page.css") + "".join(f"{rule}\n" for rule in page.rules)
    script = _own("page.js") if needs_script else ""
    policy = POLICY.format(style=_hash(css), script=f"'sha256-{_hash(script)}'" if script else "'none'")
    title = f"windowkeeper {report.name}"
    subject = _first_words(story)
    head = (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
        f'<meta http-equiv=Content-Security-Policy content="{policy}">\n'
        "<meta name=viewport content='width=device-width,initial-scale=1'>"
        "<meta name=color-scheme content='light dark'><meta name=referrer content=no-referrer>"
        f"<title>{safe(f'{title}: {subject}' if subject else title)}</title>\n<style>{css}</style></head>\n"
    )
    yield head.encode()
    yield f"<body><header><h1>{safe(title)}</h1></header>\n<main>\n".encode()
    for part in body:
        yield part.encode()
    yield "".join(_end(story)).encode()
    yield b"</main>\n"
    if script:
        yield f"<script type=application/json id=data>{page.data()}</script>\n<script>{script}</script>\n".encode()
    yield b"</body></html>\n"


def _first_words(story: Sheet | Story) -> str:
    """Return what a page's first line says first, so that pages in a row of tabs can be told apart."""
    first = story.blocks[0] if story.blocks else None
    if not isinstance(first, Lines) or not first.lines[0].parts:
        return ""
    return " ".join(text_of(value) for value in first.lines[0].parts[0])


def _own(name: str) -> str:
    return files(__name__).joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _block(block: Block | Timeline | Frames, page: Page) -> Iterator[str]:
    if isinstance(block, Table):
        yield from table(block, page)
    elif isinstance(block, Timeline):
        yield from timeline(block, page)
    elif isinstance(block, Frames):
        yield from frames(block, page)
    else:
        yield "<section>"
        if block.title:
            yield f"<h2>{safe(block.title)}</h2>"
        yield from _simple(block)
        yield "</section>\n"


def _simple(block: Lines | Prose | Chart) -> Iterator[str]:
    if isinstance(block, Lines):
        yield _labelled(block.lines)
    elif isinstance(block, Chart):
        from windowkeeper_cli.render.chart import chart_lines

        lines = chart_lines(block, Style(False, CHART_WIDTH))
        yield _kept("\n".join("".join(text for text, _ in line).rstrip(" ") for line in lines))
    elif block.as_is:
        yield _kept(block.text)
    else:
        yield "".join(f"<p>{safe(line)}</p>" for line in block.text.split("\n"))


def _kept(text: str) -> str:
    """Return lines as they are; readers drop the first line break after the tag."""
    lines = "\n".join(safe(line) for line in text.split("\n"))
    return f"<pre tabindex=0>\n{lines}</pre>"


def _labelled(lines: tuple[Line, ...]) -> str:
    found = [
        f"<dt>{safe(line.label)}<dd>{''.join(f'<span class=part>{phrase(part)}</span> ' for part in line.parts)}"
        for line in lines
    ]
    return f"<dl>{''.join(found)}</dl>"


def _end(story: Sheet | Story) -> Iterator[str]:
    if story.footer:
        yield f"<footer>{_labelled(story.footer)}</footer>\n"
    if story.next:
        yield f"<section><h2>next</h2>{''.join(_command(command) for command in story.next)}</section>\n"


def _command(command: Command) -> str:
    return f"<pre class=next tabindex=0>{safe(text_of(command))}</pre>"
