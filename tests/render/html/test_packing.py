"""What is packed can be had again; the sizes of long quiet series do not grow with them."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from windowkeeper_cli.render.html.packing import data_text, front_coded, packed, places


def unpacked(values: list[int]) -> list[int]:
    """Return what was packed: differences from 0, and after a zero how often it stands."""
    found: list[int] = []
    now = 0
    left = iter(values)
    for change in left:
        now += change
        found += [now] * (1 if change else next(left))
    return found


@given(st.lists(st.integers(-5, 5) | st.integers()))
def test_a_series_comes_back(values: list[int]) -> None:
    assert unpacked(packed(values)) == values


def test_a_run_is_a_pair_whatever_its_length() -> None:
    assert packed([7, 7, 7, 9]) == [7, 0, 2, 2]
    assert packed([0] * 10_000) == [0, 10_000]
    assert packed([]) == []


@given(st.lists(st.text(max_size=8)))
def test_labels_come_back(labels: list[str]) -> None:
    coded = front_coded(labels)
    found: list[str] = []
    before = ""
    for shared, rest in zip(coded[::2], coded[1::2], strict=True):
        assert isinstance(shared, int) and isinstance(rest, str)
        before = before[:shared] + rest
        found.append(before)
    assert found == labels


def test_times_that_follow_each_other_are_short() -> None:
    assert front_coded(["10:00:01", "10:00:09", "10:01:00"]) == [0, "10:00:01", 7, "9", 4, "1:00"]


def test_words_are_kept_once() -> None:
    assert places(["b", "a", "b"]) == (["b", "a"], [0, 1, 0])


@given(st.text())
def test_data_ends_no_script_and_comes_back(text: str) -> None:
    shown = data_text([text, "</script><!--"])
    assert not set("<>&") & set(shown) and shown.isascii()
    assert json.loads(shown) == [text, "</script><!--"]
