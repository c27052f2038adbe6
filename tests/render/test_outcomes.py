"""`-f junit` and `-f github`: valid, and nothing of a transcript can break out (JUnit XSD; GitHub's command syntax)."""

from __future__ import annotations

import re
import xml.dom.minidom
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.outcome import BROKEN, FAILED, PASSED, WARNED, Outcome
from windowkeeper_cli.report.sheet import Lines, Sheet, Table

HOSTILE = (
    "a\n::error::b", "%0A::set-output name=x::y", "\r\n::stop-commands::z", "]]></failure>", "<b>&amp;\"'",
    "\x00\x0b\x1b[31m", "\ufffe\uffff", "\ud800", "\u2028\u0085", "##[error]x", "é漢🙂", "a,b=c:d",
)  # fmt: skip


class Report:
    """A report that tests something, and knows no domain."""

    name = "weather"

    def __init__(self, *outcomes: Outcome) -> None:
        self._outcomes = outcomes

    def outcomes(self) -> Iterator[Outcome]:
        return iter(self._outcomes)

    def sheet(self) -> Sheet:
        return Sheet((Lines(()),))

    def document(self) -> dict[str, object]:
        return {}

    def table(self) -> Table | None:
        return None

    def lines(self) -> None:
        return


def rendered(kind: str, *outcomes: Outcome) -> str:
    return b"".join(RENDERERS.module(kind).render(Report(*outcomes), Style())).decode()


ALL = (
    Outcome("a.json", "wind", PASSED, file="a.json"),
    Outcome("a.json", "rain", FAILED, "3 > 2", ("call 1: wet", "call 2: wet"), "a.json", 7),
    Outcome("b.json", "loads", BROKEN, "it ends inside a string", (), "/abs/b.json"),
    Outcome("b.json", "sun", WARNED, "too bright"),
)


def test_junit_has_a_suite_for_each_group_and_a_case_for_each_outcome() -> None:
    root = ET.fromstring(rendered("junit", *ALL))
    assert root.tag == "testsuites" and root.attrib == {
        "name": "windowkeeper weather", "tests": "4", "failures": "1", "errors": "1",
    }  # fmt: skip
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("errors")) for suite in root] == [
        ("a.json", "2", "1", "0"), ("b.json", "2", "0", "1"),
    ]  # fmt: skip
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert list(cases["wind"]) == []
    (failure,) = cases["rain"]
    assert (failure.tag, failure.get("message"), failure.text) == (
        "failure",
        "3 > 2",
        "3 > 2\ncall 1: wet\ncall 2: wet",
    )
    assert [child.tag for name in ("loads", "sun") for child in cases[name]] == ["error", "system-out"]


ALLOWED = {
    "testsuites": ({"name", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, {"testcase"}),
    "testcase": ({"classname", "name"}, {"failure", "error", "system-out"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "system-out": (set(), set()),
}
"""What the JUnit schema of Jenkins (junit-10.xsd) allows of what is used here."""


@pytest.mark.parametrize("text", HOSTILE)
def test_junit_stays_valid_with_hostile_texts(text: str) -> None:
    body = rendered("junit", *(Outcome(text, text, state, text, (text,), text) for state in (FAILED, BROKEN, WARNED)))
    xml.dom.minidom.parseString(body)
    for element in ET.fromstring(body).iter():
        attributes, children = ALLOWED[element.tag]
        assert set(element.attrib) <= attributes and {child.tag for child in element} <= children
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\ufffe\uffff\ud800-\udfff]", body)
    assert body.count("</failure>") == body.count("</error>") == 1


def test_github_has_a_command_for_what_fails_or_warns() -> None:
    assert rendered("github", *ALL).splitlines() == [
        "::error file=a.json,line=7,title=windowkeeper weather%3A rain::a.json: 3 > 2%0Acall 1: wet%0Acall 2: wet",
        "::error title=windowkeeper weather%3A loads::b.json: it ends inside a string",
        "::warning title=windowkeeper weather%3A sun::b.json: too bright",
    ]


def command(line: str) -> tuple[str, dict[str, str], str]:
    """Return a workflow command as the runner reads it (actions/runner, ActionCommand: first `::` after the head)."""
    head, _, data = line[2:].partition("::")
    level, _, properties = head.partition(" ")
    back = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]
    pairs = dict(part.split("=", 1) for part in properties.split(","))
    for code, char in back:
        pairs = {key: value.replace(code, char) for key, value in pairs.items()}
        data = data.replace(code, char) if code not in ("%3A", "%2C") else data
    return level, pairs, data


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_can_end_a_command_or_begin_another(text: str) -> None:
    body = rendered("github", Outcome(text, text, FAILED, text, (text, text), text))
    (line,) = body.splitlines()
    assert body == line + "\n" and line.isprintable()
    level, pairs, data = command(line)
    assert level == "error" and set(pairs) <= {"file", "title"}
    assert pairs["title"].startswith("windowkeeper weather: ")
    assert data.count("\n") == 2, "the title and two pieces of evidence"


@pytest.mark.parametrize("path", ["/abs/x.json", "../x.json", "a/../../x", "~/x", "-", "C:\\x.json"])
def test_a_path_outside_the_checkout_is_no_file_of_an_annotation(path: str) -> None:
    assert "file=" not in rendered("github", Outcome("g", "n", FAILED, "t", (), path))


@pytest.mark.parametrize("kind", ["junit", "github"])
def test_a_report_that_tests_nothing_has_neither(kind: str) -> None:
    report = type("Plain", (), {"name": "info"})()
    with pytest.raises(UsageError, match=f"info has no {kind} format"):
        RENDERERS.module(kind).render(report, Style())
