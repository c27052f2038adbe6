"""Records: an item as bytes and back, and every way in which bytes are not what was written (spec/4, "Archive")."""

from __future__ import annotations

import pytest

from tests.generated import loaded
from tests.sessions import asks, session
from windowkeeper_cli.archive.listed import list_in, list_record
from windowkeeper_cli.archive.names import is_id, is_visit, name_of
from windowkeeper_cli.archive.record import held_in, record_of
from windowkeeper_cli.archive.visits import Ended, visit_in, visit_record
from windowkeeper_cli.model.block import Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.errors import ArchiveError
from windowkeeper_cli.model.item import CallRef, Item, Origin
from windowkeeper_cli.model.payload import item_id, payload

IMAGE = Other("image", '{"type":"image", "n":1e2,"n":2}', (3, 4))
BLOCKS: tuple[Blocks, ...] = (
    (),
    # Two lone surrogates stay two: they are not the one character that they would be together.
    (Text("\ud83d\udd11 \x00\r\n\u2028"),),
    (Think("", None), Think("hm", "sig"), ToolCall("c1", "bash", '{"a": 1.0,\n "a": 2}')),
    (ToolResult("c1", None, True, (Text("x"), IMAGE, Text(""))),),
    (IMAGE, Other("odd", "null")),
)


def item(blocks: Blocks, digits: int = 12) -> Item:
    first = loaded(session(asks("x"))).items[0]
    return first._replace(
        id=item_id(payload(first.role, blocks), digits),
        calls=(CallRef("c1", "bash", None),),
        origins=(Origin(0, 5, 7, 2),),
        tags=("a", "\x1b"),
        timestamp="2026-11-29T10:00:00Z",
    )


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("digits", [12, 16])
def test_an_item_and_its_blocks_come_back_the_same(blocks: Blocks, digits: int) -> None:
    one = item(blocks, digits)
    assert held_in(record_of(one, blocks), one.id) == (one, blocks)


def test_every_byte_is_sealed() -> None:
    one = item(BLOCKS[3])
    record = record_of(one, BLOCKS[3])
    for place in range(len(record)):
        for damaged in (record[:place], record[:place] + bytes([record[place] ^ 1]) + record[place + 1 :]):
            with pytest.raises(ArchiveError):
                held_in(damaged, one.id)


def test_one_record_in_anothers_place_is_not_taken_for_it() -> None:
    one, other = item(BLOCKS[1]), item(BLOCKS[2])
    with pytest.raises(ArchiveError, match="does not begin with"):
        held_in(record_of(one, BLOCKS[1]), other.id)
    # Sealed as the other, with content that is not its own.
    with pytest.raises(ArchiveError, match=f"content has the id {one.id}"):
        held_in(record_of(other, BLOCKS[1]), other.id)


@pytest.mark.parametrize("record", [b"", b"\n", b"x", b"windowkeeper-item/1 \n{}", b"\xff" * 99])
def test_what_is_no_record_is_an_error(record: bytes) -> None:
    for read in (lambda: held_in(record, "0" * 12), lambda: list_in(record, "0" * 12), lambda: visit_in(record)):
        with pytest.raises(ArchiveError):
            read()


def test_lists_and_visits_come_back() -> None:
    assert list_in(list_record("no id\ud800", ["1", "2"]), name_of("no id\ud800")) == ("no id\ud800", ("1", "2"))
    assert visit_in(visit_record(Ended(None, {"a": 3}))) == Ended(None, {"a": 3})


def test_names_are_hex_digits_alone() -> None:
    assert is_id("0123456789ab") and is_id("0123456789abcdef") and is_visit("00000001-0123456789ab")
    assert not any(map(is_id, ("", "0123456789a", "0123456789abc", "0123456789ab\n", "0123456789AB", "x" * 12)))
    assert not any(map(is_visit, ("1-0123456789ab", "00000001-0123456789ab\n", "../00001-0123456789ab")))
    assert name_of("0123456789ab") == "0123456789ab" and is_id(name_of("../x")) and name_of("a") != name_of("b")
