"""Which parts of a shell command are the model's own: messages, documents, code, comments, patterns to search for?"""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)([A-Za-z_][A-Za-z0-9_]{0,40})\1([^\n]*\n)")
_COMMENT = re.compile(r"(?:^|(?<=\n))[ \t]*#[^\n]*")
_OPENS = re.compile(
    r"(?:(?<![A-Za-z0-9_-])"
    r"(?:(?:echo|printf)(?:[ \t]+-[A-Za-z]+)*"
    r"|-m|--message|--body|--title|--notes|--description|--data|-d"
    r"|(?:-f|-F|--field|--raw-field)[ \t]+[A-Za-z_]+"
    r"|(?:jq|awk|gawk)(?:[ \t]+-[A-Za-z]+)*"
    r"|(?:[ef]?grep|rg|ag|ack)(?:[ \t]+(?:-[^ \t\n\"']+|[0-9]+))*"
    r"|-name|-iname|-path|-g|--glob|--include|--exclude"
    r"|(?:python[0-9.]*|node|ruby|perl|php|deno)(?:[ \t]+-[A-Za-z]+)*[ \t]+(?:-[ce]|--eval))"
    r")(?:[ \t]+|=)\$?(?=[\"'])"
)
"""What stands before a quoted text that is a message, a program or a pattern, not the name of anything."""
_PATTERN = re.compile(
    r"(?<![A-Za-z0-9_./-])(?:[ef]?grep|rg|ag|ack)(?:[ \t]+(?:-[^ \t\n\"']+|[0-9]+))*"
    r"[ \t]+(?P<word>[^ \t\n\"'|;&<>-][^ \t\n|;&<>]*)"
)
"""A search whose pattern stands without quotes."""
_DOUBLE = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_SINGLE = re.compile(r"'[^']*'?")


def command_parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield a command's text in order, part by part, and whether the model composed that part."""
    start = 0
    for begin, end in _composed(text):
        if end > start:
            yield text[start : max(begin, start)], False
            yield text[max(begin, start) : end], True
            start = end
    yield text[start:], False


def _composed(text: str) -> list[tuple[int, int]]:
    """Return the places of composed parts, by where they begin; a document inside a message belongs to it."""
    found = [(match.start(), match.end()) for match in _COMMENT.finditer(text)]
    for match in _OPENS.finditer(text):
        quote = _DOUBLE if text[match.end()] == '"' else _SINGLE
        closing = quote.match(text, match.end())
        if closing is not None:
            found.append((match.end(), closing.end()))
    found += [match.span("word") for match in _PATTERN.finditer(text)]
    for match in _HEREDOC.finditer(text):
        end = text.find(f"\n{match[2]}", match.end() - 1)
        found.append((match.end(), len(text) if end < 0 else end))
    return sorted(found)
