"""The decoder: values and places by hand; the rules are those of `spec/2`, Formats and Loading rules."""

from __future__ import annotations

from json import JSONDecodeError
from pathlib import Path

import pytest

from windowkeeper_cli.formats.damage import place_of, words_of
from windowkeeper_cli.formats.opening import Opened, open_bytes
from windowkeeper_cli.formats.stream import SHOWN, Log, records
from windowkeeper_cli.model.errors import InputError


def read(data: bytes, *, exact: bool = False) -> tuple[list[object], list[tuple[str, int | None]], list[bytes], Log]:
    log = Log()
    found = list(records(open_bytes(data, "f"), 0, log, exact=exact))
    parts = [data[r.origin.offset : r.origin.offset + r.origin.length] for r in found]
    return [r.value for r in found], [(f.kind, f.line) for f in log.closed()], parts, log


def lines_of(data: bytes) -> list[int]:
    return [r.origin.line for r in records(open_bytes(data, "f"), 0, Log())]


def test_lines_and_their_places() -> None:
    data = b'{"a":1}\n{"b":2}\n'
    values, odd, parts, log = read(data)
    assert (values, odd, parts) == ([{"a": 1}, {"b": 2}], [], [b'{"a":1}', b'{"b":2}'])
    assert (lines_of(data), log.lines) == ([1, 2], 2)


def test_mark_carriage_returns_and_blank_lines_are_no_fault() -> None:
    data = b'\xef\xbb\xbf{"a":1}\r\n\r\n   \n{"b":2}\r\n'
    values, odd, parts, _ = read(data)
    assert (values, odd) == ([{"a": 1}, {"b": 2}], [])
    assert parts[0].startswith(b'{"a":1}') and lines_of(data) == [1, 4]


@pytest.mark.parametrize(("end", "still"), [(b"", True), (b"\n", False)])
def test_a_cut_last_line_is_still_being_written_only_where_it_has_no_end(end: bytes, still: bool) -> None:
    values, odd, _, log = read(b'{"a":1}\n{"b": [' + end)
    assert (values, odd, log.still_written) == ([{"a": 1}], [("truncated-json", 2)], still)


def test_two_objects_on_one_line_are_two_records() -> None:
    data = '{"a":"\u00e9"}{"b":2}\n{"c":3}\n'.encode()
    values, odd, parts, _ = read(data)
    assert (values, odd) == ([{"a": "é"}, {"b": 2}, {"c": 3}], [])
    assert parts == ['{"a":"é"}'.encode(), b'{"b":2}', b'{"c":3}']


def test_a_pretty_printed_stream_is_decoded_as_values() -> None:
    data = '{\n "a": "\u00e9"\n}\n{\n "b": 2\n}\n'.encode()
    values, odd, parts, _ = read(data)
    assert (values, odd, lines_of(data)) == ([{"a": "é"}, {"b": 2}], [], [1, 4])
    assert parts == ['{\n "a": "é"\n}'.encode(), b'{\n "b": 2\n}']


def test_pretty_printed_values_behind_lines() -> None:
    values, odd, parts, _ = read(b'{"a":1}\n{\n "b": 2\n}\n{"c":3}\n')
    assert (values, odd, parts[1]) == ([{"a": 1}, {"b": 2}, {"c": 3}], [], b'{\n "b": 2\n}')


def test_one_document_over_several_lines() -> None:
    assert read(b"\n[\n 1,\n 2\n]\n")[0] == [[1, 2]]


def test_unicode_separators_end_no_line() -> None:
    data = '{"a":"x\u2028y\u2029z\u0085"}\n{"cut'.encode()
    values, odd, _, log = read(data)
    assert (values, odd, log.still_written) == ([{"a": "x\u2028y\u2029z\u0085"}], [("truncated-json", 2)], True)


def test_a_cut_first_line_costs_that_line_only() -> None:
    assert read(b'{"a":"x\n{"b":2}\n{"c":3}\n')[:2] == ([{"b": 2}, {"c": 3}], [("truncated-json", 1)])


@pytest.mark.parametrize(
    ("line", "kind", "kept"),
    [
        (b'{"a":"x', "truncated-json", []),
        (b'{"a":tru', "truncated-json", []),
        (b'{"a":"\\u00', "truncated-json", []),
        (b'{"a":{"b":1}', "truncated-json", []),
        (b'{"a":"cut{"b":2}', "spliced-json", [{"b": 2}]),
        (b'{"a":1{"b":2}{"c":3}', "spliced-json", [{"b": 2}, {"c": 3}]),
        (b"{not json}", "not-json", []),
        (b"\x00\x00\x00", "not-json", []),
        (b'{"a":"x\x00y"}', "not-json", []),
        (b"plain words", "not-json", []),
        (b'{"a":1} behind', "not-json", [{"a": 1}]),
        (b"[" * 501 + b"]" * 501 + b"x", "not-json", []),
    ],
)
def test_what_a_broken_line_is_called(line: bytes, kind: str, kept: list[object]) -> None:
    values, odd, _, log = read(b'{"first":1}\n' + line + b'\n{"last":1}\n')
    assert values == [{"first": 1}, *kept, {"last": 1}]
    assert odd == [(kind, 2)] and log.not_understood == 1


def test_a_recovered_record_has_its_own_place() -> None:
    assert read(b'{"first":1}\n{"a":"cut{"b":2}\n')[2][1] == b'{"b":2}'


def test_bytes_that_are_not_utf8_are_replaced_and_named() -> None:
    values, odd, _, _ = read(b'{"a":"m\xb2"}\n')
    assert (values, odd) == ([{"a": "m\ufffd"}], [("invalid-utf8", 1)])


@pytest.mark.parametrize("left", [b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98"])
def test_a_cut_that_goes_through_a_character_is_one_fault(left: bytes) -> None:
    assert read(b'{"first":1}\n{"a":"x' + left)[1] == [("truncated-json", 2)]
    assert read(b'{"first":1}\n{"a":"\xb2xxxx' + left)[1] == [("invalid-utf8", 2), ("truncated-json", 2)]


def test_lone_surrogates_stay_and_are_named() -> None:
    values, odd, _, _ = read(b'{"a":"\\ud800 \\ud83d\\ude00"}\n')
    assert (values, odd) == ([{"a": "\ud800 \U0001f600"}], [("lone-surrogate", 1)])


def test_a_pair_beside_a_number_that_orjson_refuses_is_no_lone_one() -> None:
    assert read(b'{"a":"\\ud83d\\ude00","n":NaN}\n')[1] == []


@pytest.mark.parametrize("cut", [b'{"a": [\n  1,\n  {"b": "x', b'{"a": [\n  1,\n  {"b" 2}\n ]\n}\n'])
def test_a_damaged_document_is_an_error_with_line_and_column(cut: bytes) -> None:
    with pytest.raises(InputError, match=r"f:3:\d+: the JSON is damaged"):
        read(cut)


def test_a_trailing_comma_is_placed_behind_itself_on_every_python() -> None:
    with pytest.raises(InputError, match=r"f:3:2: the JSON is damaged: a key is missing"):
        read(b'{\n "a": 1,\n }\n')


def test_newer_pythons_words_give_the_same_place_and_words() -> None:
    text = '{"a": 1, }'
    old = JSONDecodeError("Expecting property name enclosed in double quotes", text, 9)
    new = JSONDecodeError("Illegal trailing comma before end of object", text, 7)
    assert (words_of(old), place_of(text, old)) == (words_of(new), place_of(text, new)) == ("a key is missing", 9)


def test_a_document_nested_too_deep_is_an_error() -> None:
    with pytest.raises(InputError, match="nested too deep"):
        read(b"[\n" * 3000)


def test_findings_of_a_kind_are_counted_after_the_first_thousand() -> None:
    _, odd, _, log = read(b'{"a":1}\n' + b"x\n" * (SHOWN + 50))
    assert len(odd) == SHOWN + 1 and log.not_understood == SHOWN + 50
    assert log.closed()[-1].text.startswith("50 more")


def test_a_text_file_is_given_up_after_a_thousand_lines() -> None:
    _, _, _, log = read(b"words\n" * (SHOWN * 3))
    assert log.not_understood == SHOWN + 1


def test_exact_reading_keeps_every_digit() -> None:
    data = b'{"n":123456789012345678901234567890}\n'
    assert read(data, exact=True)[0] == [{"n": 123456789012345678901234567890}]


def test_a_line_over_several_chunks_is_one_line(tmp_path: Path) -> None:
    data = b'{"a":"' + b"x" * (3 << 20) + b'"}\n{"b":2}'
    path = tmp_path / "big.jsonl"
    path.write_bytes(data)
    opened = Opened("big", path, None, None)
    found = list(records(opened, 0, Log()))
    assert [r.origin[1:] for r in found] == [(0, len(data) - 8, 1), (len(data) - 7, 7, 2)]
    assert (opened.facts().bytes, opened.records) == (len(data), 2)
