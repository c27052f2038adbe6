"""How outcomes look as JUnit XML: a suite for each tested thing, a case for each of its tests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.outcomes import outcomes_of
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.outcome import BROKEN, FAILED, WARNED, Outcome
from windowkeeper_cli.report.sheet import Report

_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_BEYOND = str.maketrans({0xFFFE: "\ufffd", 0xFFFF: "\ufffd"})


def render(report: Report, style: Style) -> Iterator[bytes]:  # noqa: ARG001
    """Return the outcomes as one XML document in UTF-8; raise UsageError where the report tests nothing."""
    return _document(f"windowkeeper {report.name}", list(outcomes_of(report, "junit")))


def _document(name: str, outcomes: list[Outcome]) -> Iterator[bytes]:
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<testsuites {_attributes(name, outcomes)}>\n".encode()
    for group, members in groupby(outcomes, lambda outcome: outcome.group):
        cases = list(members)
        yield f'  <testsuite {_attributes(group, cases)} skipped="0">\n'.encode()
        for case in cases:
            yield f"{_case(case)}\n".encode()
        yield b"  </testsuite>\n"
    yield b"</testsuites>\n"


def _attributes(name: str, outcomes: list[Outcome]) -> str:
    failures = sum(outcome.state == FAILED for outcome in outcomes)
    errors = sum(outcome.state == BROKEN for outcome in outcomes)
    return f'name="{_text(name)}" tests="{len(outcomes)}" failures="{failures}" errors="{errors}"'


def _case(case: Outcome) -> str:
    opening = f'    <testcase classname="{_text(case.group)}" name="{_text(case.name)}"'
    told = "\n".join(_text(line) for line in (case.title, *case.lines))
    if case.state in (FAILED, BROKEN):
        element = "failure" if case.state == FAILED else "error"
        inner = f'<{element} message="{_text(case.title)}" type="{_text(case.name)}">{told}</{element}>'
    elif case.state == WARNED:
        inner = f"<system-out>{told}</system-out>"
    else:
        return f"{opening}/>"
    return f"{opening}>{inner}</testcase>"


def _text(text: str) -> str:
    """Return a text as XML 1.0 may hold it: what it may not is shown as an escape, markup as entities."""
    return escape(text).translate(_BEYOND).translate(_MARKUP)
