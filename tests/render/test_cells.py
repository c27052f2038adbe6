"""How many cells a text takes: Unicode 17.0's East Asian widths and combining marks, the same on any machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windowkeeper_cli.render.cells import clusters, width_of, wrap

HARD = st.text(st.sampled_from("ab /日本❤\ufe0f\u0301👩한\u1112\u1161█…é"), max_size=60)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("abc", 3),
        ("é", 1),
        ("e\u0301\u0302", 1),
        ("日本", 4),
        ("ｱ", 1),
        ("Ａ", 2),
        ("한", 2),
        ("\u1112\u1161\u11ab", 2),
        ("👩", 2),
        ("🏳", 1),
        ("🏳\ufe0f", 2),
        ("❤", 1),
        ("❤\ufe0f", 2),
        ("1\ufe0f\u20e3", 2),
        ("日\ufe0f", 2),
        ("a\ufe0f", 1),
        (" \ufe0f", 1),
        ("█\ufe0f", 1),
        ("…│█", 3),
        ("\U0001f1e9\U0001f1ea", 2),
        ("\u0301", 0),
        ("", 0),
    ],
)
def test_cells_of_a_text(text: str, cells: int) -> None:
    """Expected by EastAsianWidth.txt and emoji-variation-sequences.txt: wide two, marks none, pictures two."""
    assert width_of(text) == cells


@given(HARD, st.integers(2, 20))
def test_no_line_is_wider_than_asked_and_no_letter_is_lost(text: str, width: int) -> None:
    found = wrap(text, width)
    assert all(width_of(line) <= width for line in found)
    assert "".join(found).replace(" ", "") == text.replace(" ", "")


@given(HARD)
def test_a_cluster_is_a_character_and_what_stands_on_it(text: str) -> None:
    found = list(clusters(text))
    assert "".join(cluster for cluster, _ in found) == text
    assert sum(cells for _, cells in found) == width_of(text)
    assert all(width_of(cluster[0]) > 0 for cluster, _ in found[1:])
