"""`recall`: which content an id stands for (spec/4, "Archive")."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.report.made import fixture, made, subject
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.report.explain_visits import at_call
from windowkeeper_cli.report.recalled import content, find_item, find_list, listing, raw_bytes, unknown_id


def test_an_id_or_its_beginning_finds_the_item_and_its_text_verbatim() -> None:
    text = "a\r\nb\x00\x1b[31m  \n"
    transcript = made({"role": "user", "content": text})
    item = transcript.items[0]
    for wanted in (item.id, item.id[:4], item.id[:11]):
        assert find_item(transcript, wanted) == 0
    assert content(transcript, 0) == text


def test_three_digits_are_no_beginning() -> None:
    transcript = made({"role": "user", "content": "x"})
    assert find_item(transcript, transcript.items[0].id[:3]) is None


def test_a_beginning_of_several_ids_lists_them() -> None:
    texts: list[dict[str, object]] = [{"role": "user", "content": f"message {number}"} for number in range(700)]
    transcript = made(*texts)
    ids = sorted({item.id for item in transcript.items})
    pairs = [(one, other) for one, other in pairwise(ids) if one[:4] == other[:4]]
    one, other = pairs[0]
    with pytest.raises(UsageError) as caught:
        find_item(transcript, one[:4])
    assert one in str(caught.value) and other in str(caught.value)


@pytest.mark.parametrize("wanted", ["../../etc/passwd", "ffff00000000", "\x1b[31m00"])
def test_an_unknown_id_names_the_nearest_ones(wanted: str) -> None:
    transcript = fixture()
    assert find_item(transcript, wanted) is None
    said = str(unknown_id(transcript, wanted))
    assert sum(item.id in said for item in transcript.items) == 3


def test_a_notice_gives_everything_that_left() -> None:
    about = subject(fixture())
    report = at_call(about, 9)
    notice = report.visits[0].inserted[0].item
    stood = find_list(about, notice)
    gone = {line.at for line in report.visits[0].standing if line.action == "trim"}
    assert stood is not None and set(stood.ats) == gone
    ats = stood.ats
    text = listing(about.transcript, ats)
    for at in ats:
        assert content(about.transcript, at) in text
    assert find_list(about, "000000000000") is None


def test_raw_is_the_record_as_it_stands_in_the_file() -> None:
    transcript = fixture()
    assert b'"d3 step 1 ok\\nd3 step 2 refused' in raw_bytes(transcript, [7])
