"""Which sentences did the writer of a message say himself: no code, quotation, table, heading or pasted log?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from windowkeeper_cli.model.value import NamedTuple

BLANK = "\x00"
"""Stands, one for one, for what is quoted or code inside a sentence: it is read as no word."""
_MACHINE = (
    "system-reminder|task-notification|local-command-[a-z]{1,10}|command-[a-z]{1,10}|bash-[a-z]{1,10}|output|stdout"
    "|stderr|returncode|example|examples|good-example|bad-example|file|files|document|documents|skill|code|pre"
)
_TAG = re.compile(rf"<(/?)({_MACHINE})(?:[ \t][^<>\n]{{0,200}})?>")
_CLOSING_TAGS = re.compile(r"(?:</[A-Za-z_][A-Za-z0-9_-]{0,60}>){1,9}$")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+|[0-9]{1,3}[.)][ \t]+)?(```+|~~~+)")
_BULLET = re.compile(r"[ \t]*(?:[-*+\u2022\u2013\u2014]|[0-9]{1,3}[.)]|[A-Za-z][.)])[ \t]+(?:\[[ xX]?\][ \t]+)?")
_CODE_INDENT = re.compile(r"(?: {4}|\t)[ \t]*[^ \t]")
_PATCH = re.compile(r"diff --git |@@ -[0-9]")
_PATCH_LINE = re.compile(r"[-+ @\\]|index [0-9a-f]")
_PASTED = re.compile(
    r"[ \t]*(?:"
    r"[0-9]{1,6}[:|]|[>|#$%\u276f\u23fa\u23bf\u25cf\u2502\u251c\u2514]|//|/\*|<[A-Za-z/!]"
    r"|[{}\[\]](?:[ \t]*[\"'{}\[\],]|[ \t]*$)|\"[^\"\n]{1,80}\"[ \t]*:"
    r"|={3}|-{3}|\+{3}|\*{3}"
    r"|\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]|\[?[0-9]{1,2}:[0-9]{2}:[0-9]{2}|[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}"
    r"|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE)\b[\]:| ]|[A-Za-z.]{0,60}(?:Error|Exception|Warning):"
    r"|at [^ \n]{1,200}\(|File \"|[^ \t\n:]{1,200}\.[A-Za-z]{1,5}:[0-9]{1,7}\b"
    r")"
)
_STOPS = "\u3002\uff01\uff1f"
_END = re.compile(rf"(?:[.!?]{{1,9}}|[{_STOPS}])[\"'\u201d\u2019)\]*_`]{{0,9}}(?=[ \t\r\n]|$|[{_STOPS}])|[{_STOPS}]")
_NO_END = re.compile(
    r"(?:e\.g|i\.e|vs|cf|approx|incl|resp|etc(?=\.[)\]]{0,3}[ \t\r\n]+[a-z])|[A-Za-z]|(?P<number>[0-9]{1,3}))\."
)
_QUOTED = re.compile(
    r"`{1,3}[^`\n]{1,400}`{1,3}|\"[^\"\n]{1,400}\"|\u201c[^\u201d\n]{1,400}\u201d|\u00ab[^\u00bb\n]{1,400}\u00bb"
    r"|(?<![0-9A-Za-z])'[^'\n]{1,200}'(?![0-9A-Za-z])|\u2018[^\u2019\n]{1,200}\u2019(?![0-9A-Za-z])"
)
_ITEM, _INNER, _LINE = "item", "inner", "line"
_EDGES = f" \t\r{BLANK}"
_WRAPPED = 60
"""Characters from which a line may have been wrapped; a shorter one ends where its writer ended it."""


class Sentence(NamedTuple):
    """A sentence at `start` of its text: `raw` as it stands there, `plain` of the same length with quotations blanked.

    `question` says that it asks.
    """

    start: int
    raw: str
    plain: str
    question: bool


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a message that are its writer's own prose, in order; linear in the text."""
    for start, end in _blocks(_without_machine(text)):
        yield from _split(text, start, end)


def _without_machine(text: str) -> str:
    """Return the text with what stands between a harness's tags blanked, length and line breaks kept."""
    kept: list[str] = []
    done, opened = 0, None
    for tag in _TAG.finditer(text):
        if opened is None and not tag[1]:
            opened = tag
        elif opened is not None and tag[1] and tag[2] == opened[2]:
            kept += (text[done : opened.start()], _hollow(text[opened.start() : tag.end()]))
            done, opened = tag.end(), None
    return "".join((*kept, text[done:]))


def _hollow(text: str) -> str:
    return "\n".join(BLANK * len(line) for line in text.split("\n"))


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of runs of prose: a list item, or lines that go on from one another."""
    start = end = -1
    last = ""
    for at, line, kind in _prose_lines(text):
        if end < 0 or kind == _ITEM or text.count("\n", end, at) != 1 or not _continues(last, line, kind):
            if end > start:
                yield start, end
            start = at
        end, last = at + len(line), line
    if end > start:
        yield start, end


def _continues(before: str, line: str, kind: str) -> bool:
    """Return whether a line goes on from the one before it: inside a list item, or where that one was wrapped."""
    if kind == _INNER:
        return True
    return len(before) >= _WRAPPED and before[-1] not in ".!?:;" and "a" <= line[0] <= "z"


def _prose_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each line of prose without its bullet and the blanks around it, its place before it, its kind behind."""
    at = 0
    fence, patch, code, empty, listed = "", False, False, True, False
    for whole in text.split("\n"):
        line, here, at = _CLOSING_TAGS.sub("", whole.rstrip(_EDGES)).rstrip(_EDGES), at, at + len(whole) + 1
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not line:
            empty, patch = True, False
        elif not fence:
            bullet = _BULLET.match(line)
            patch = bool(_PATCH.match(line)) or (patch and bool(_PATCH_LINE.match(line)))
            code = bool(_CODE_INDENT.match(line)) and not bullet and not listed and (code or empty)
            inner = listed and not bullet and line[0] in " \t"
            listed, empty = bool(bullet) or inner, False
            body = line[bullet.end() :] if bullet else line.lstrip(_EDGES)
            if body and not (patch or code or _PASTED.match(line) or _PASTED.match(body)):
                yield here + len(line) - len(body), body, _ITEM if bullet else _INNER if inner else _LINE


def _split(text: str, start: int, end: int) -> Iterator[Sentence]:
    block = text[start:end]
    plain = _QUOTED.sub(_blanked, block)
    begin = 0
    for stop in _END.finditer(plain):
        if not _no_end(plain, begin, stop.start()):
            yield from _sentence(block, plain, begin, stop.end(), start)
            begin = stop.end()
    yield from _sentence(block, plain, begin, len(block), start)


def _blanked(quoted: re.Match[str]) -> str:
    """Return blanks for a quotation; where a sentence ends inside it, its end is kept."""
    text = quoted[0]
    ends = 2 if text[-1] in '"\u201d' and text[-2] in ".!" else 0
    return BLANK * (len(text) - ends) + text[len(text) - ends :]


def _no_end(plain: str, begin: int, stop: int) -> bool:
    """Return whether a period belongs to an abbreviation, or to the number that a sentence begins with."""
    word = stop
    while word > begin and stop - word < 8 and plain[word - 1] not in " \t\r\n(":
        word -= 1
    found = _NO_END.match(plain, word)
    return found is not None and found.end() == stop + 1 and (not found["number"] or not plain[begin:word].strip())


def _sentence(block: str, plain: str, begin: int, end: int, start: int) -> Iterator[Sentence]:
    raw = block[begin:end]
    lead = len(raw) - len(raw.lstrip(" \t\r\n"))
    raw = raw.strip(" \t\r\n")
    if raw:
        begin += lead
        kept = plain[begin : begin + len(raw)]
        yield Sentence(start + begin, raw, kept, kept.rstrip("\"')]*_` ")[-1:] in ("?", "\uff1f"))
