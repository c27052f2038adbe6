"""The line of every key and list element is the one on which it was written; the generator counts it itself."""

from __future__ import annotations

import json
import tomllib
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.policy.known import problems
from tests.policy.written import json_paper, toml_paper
from windowkeeper_cli.policy.json_text import read_json
from windowkeeper_cli.policy.text_place import DamagedTextError, Lines
from windowkeeper_cli.policy.toml_text import read_toml

SEEDS = some.integers(0, 2**32)


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_every_key_of_a_json_document_has_its_line(seed: int) -> None:
    paper = json_paper(seed)
    tree = read_json(paper.text)
    assert {path: place.line for path, place in tree.places.items()} == paper.lines
    assert tree.value == json.loads(paper.text)
    assert not tree.repeats


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_every_key_of_a_toml_document_has_its_line(seed: int) -> None:
    paper = toml_paper(seed)
    tree = read_toml(paper.text)
    assert {path: place.line for path, place in tree.places.items()} == paper.lines
    for path in tree.places:
        value: object = tomllib.loads(paper.text)
        for part in path:
            value = value[part]  # type: ignore[index]


@given(SEEDS, some.text(alphabet='{}[]:,"\\/ \n\t0123456789.eE+-truefalsnNaI#\x01\ud800é', max_size=6))
@settings(max_examples=600, deadline=None)
def test_a_text_is_json_here_exactly_when_it_is_for_python(seed: int, noise: str) -> None:
    """But for what a policy refuses on purpose: no number that is not finite, no half of a character."""
    random = Random(seed)
    text = json_paper(seed).text
    at = random.randint(0, len(text))
    text = text[:at] + noise + text[at + random.choice((0, 0, 1, 3)) :]
    try:
        expected = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except ValueError:
        with pytest.raises(DamagedTextError):
            read_json(text)
        return
    try:
        assert read_json(text).value == expected
    except DamagedTextError as error:
        assert error.what.startswith("a text holds half a character")


def _refuse(word: str) -> object:
    raise ValueError(word)


def _finite(digits: str) -> float:
    if abs(float(digits)) == float("inf"):
        raise ValueError(digits)
    return float(digits)


def test_a_damaged_text_gives_line_and_column_of_the_damage() -> None:
    assert problems('{"budget":\n  {"max": 1,\n   oops}}')[0].startswith("policy.json:3:4: ")
    assert problems("[budget]\r\nmax = 1\r\n  oops\r\n", "p.toml")[0].startswith("p.toml:3:7: ")
    assert problems("a = '''\nno end", "p.toml")[0].startswith("p.toml:2:7: ")


def test_lines_end_at_line_feeds_only() -> None:
    text = "a\r\nb\u2028c\x85d\re\nf"
    lines = Lines(text)
    assert [tuple(lines.place(text.index(char))) for char in "abcdef"] == [
        (1, 1),
        (2, 1),
        (2, 3),
        (2, 5),
        (2, 7),
        (3, 1),
    ]
    assert lines.place(len(text)) == (3, 2)


def test_a_table_that_is_named_again_keeps_its_first_line() -> None:
    tree = read_toml("[a.b]\nx = 1\n[a]\ny = 2\n")
    assert {path: place.line for path, place in tree.places.items()} == {
        ("a",): 1,
        ("a", "b"): 1,
        ("a", "b", "x"): 2,
        ("a", "y"): 4,
    }


def test_nested_objects_that_repeat_are_told_once_each() -> None:
    tree = read_json('{"a": {"x": 1},\n "a": {"x": 1}}')
    assert [(repeat.path, repeat.place.line, repeat.first_line) for repeat in tree.repeats] == [(("a",), 2, 1)]
