"""Compact JSON text: expected values by hand, agreement with the standard library by property."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windowkeeper_cli.formats.exact import DECODER, InexactError, RawNumber, compact, depth_of, too_deep

SCALARS = st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(-1e18, 1e18) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(VALUES)
def test_it_writes_what_the_standard_library_writes(value: Any) -> None:
    assert compact(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize(
    "text",
    [
        '{"b":1,"a":2}',
        '{"n":123456789012345678901234567890}',
        '{"n":1e400}',
        '{"n":[NaN,-Infinity]}',
        '{"s":"\ud800"}',
        '["\u2028\x7f\u0085"]',
        "[" * 400 + "]" * 400,
        '{"n":' + "9" * 10_000 + "}",
        '{"n":12345678901234567890123.5}',
    ],
)
def test_what_the_exact_parser_reads_is_written_back(text: str) -> None:
    assert compact(DECODER.decode(text)) == text


def test_a_rounded_integer_is_noticed() -> None:
    with pytest.raises(InexactError):
        compact({"n": orjson.loads("123456789012345678901234567890")})


def test_a_value_as_deep_as_orjson_reads_is_written() -> None:
    text = "[" * 1000 + "]" * 1000
    assert compact(orjson.loads(text)) == text


def test_a_number_kept_as_text_is_no_string() -> None:
    assert compact([RawNumber("1E400")]) == "[1E400]"


def test_depth_counts_no_brackets_inside_strings() -> None:
    assert depth_of('{"a":"[[[\\"[[","b":[1]}') == 2
    assert too_deep("[" * 501) and not too_deep("[" * 500)
    assert not too_deep('"' + "[" * 600 + '"')
