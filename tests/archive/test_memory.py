"""The archive in memory: items by id as they came, lists in the order of leaving, nothing ever removed."""

from __future__ import annotations

from tests.generated import loaded
from tests.sessions import asks, calls, gives, session
from windowkeeper_cli.archive import MemoryArchive
from windowkeeper_cli.model.block import Text

TRANSCRIPT = loaded(session(asks("a\r\n\x00 \ud800"), asks("b"), asks("b"), calls(1), gives(1, "")))


def filled() -> MemoryArchive:
    archive = MemoryArchive()
    for item in TRANSCRIPT.items:
        archive.put(item, TRANSCRIPT.source)
    return archive


def test_items_come_back_by_id_as_they_went_in() -> None:
    archive, first = filled(), TRANSCRIPT.items[0]
    assert archive.blocks(first.id) == (Text("a\r\n\x00 \ud800"),)
    assert archive.item(first.id) == first
    assert archive.holds(first.id)


def test_the_same_content_is_one_item() -> None:
    archive, items = filled(), TRANSCRIPT.items
    assert items[1].id == items[2].id
    found = archive.item(items[1].id)
    assert found is not None
    assert found.at == 1
    assert archive.ids() == tuple(dict.fromkeys(item.id for item in items))
    assert len(archive.ids()) == 4


def test_an_unknown_id_is_no_item() -> None:
    archive = filled()
    assert not archive.holds("ffffffffffff")
    assert archive.item("ffffffffffff") is None
    assert archive.blocks("ffffffffffff") is None
    assert archive.list("ffffffffffff") is None


def test_a_list_grows_in_the_order_of_leaving_each_id_once() -> None:
    archive = MemoryArchive()
    archive.extend_list("abc", ["2", "1"])
    archive.extend_list("abc", ["1", "3", "2"])
    archive.extend_list("def", [])
    assert archive.list("abc") == ("2", "1", "3")
    assert archive.list("def") == ()
