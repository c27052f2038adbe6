"""Where a long result is cut: every value by hand from spec/4, one or four characters being a token."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generated import ODD
from windowkeeper_cli.model.block import Other, Text, ToolResult
from windowkeeper_cli.model.counter import Counter
from windowkeeper_cli.model.decision import Cut, Form
from windowkeeper_cli.model.settings import ToolResults
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.cut import kept_tokens, truncation
from windowkeeper_cli.tokens.chars import counter

ID = "0123456789ab"
ONE = counter("1")
FOUR = counter("4")
IMAGE = Other("image", "{}")  # 1,600 tokens: the named constant of an image whose size nobody knows


def result(*content: str | Other) -> tuple[ToolResult]:
    return (ToolResult("c1", "read", False, tuple(Text(p) if isinstance(p, str) else p for p in content)),)


def cut(
    *content: str | Other, cap: int = 2_000, head: float = 0.7, tail: float = 0.24, by: Counter = ONE
) -> tuple[Cut, str, int] | None:
    rules = ToolResults(max_tokens_each=cap, keep_head=head, keep_tail=tail)
    blocks = result(*content)
    return truncation(blocks, ID, by.blocks(blocks), rules, by)


def test_head_and_tail_keep_their_shares_of_the_cap() -> None:
    # 0.7 x 2,000 = 1,400 from the start, 0.24 x 2,000 = 480 from the end: 5,000 - 480 = 4,520.
    found = cut("a" * 5_000)
    assert found is not None
    assert found[0] == (0, 1_400, 4_520)
    # 5,000 - 1,400 - 480 = 3,120 are gone, and the marker says so with the id; it is one line of its own.
    assert found[1] == '\n[cut here: 3,120 tokens; recall("0123456789ab") returns the whole]\n'
    assert found[2] == 1_400 + 480 + len(found[1]) <= 2_000
    assert kept_tokens(result("a" * 5_000), found[0], ONE) == (1_400, 480)


def test_shares_are_of_tokens_not_of_characters() -> None:
    # With four characters a token: 350 tokens = 1,400 characters, 120 tokens = 480 characters.
    found = cut("a" * 8_000, cap=500, by=FOUR)
    assert found is not None
    assert found[0] == (0, 1_400, 7_520)


@pytest.mark.parametrize("cap", range(60, 220, 7))
def test_the_marker_counts_within_a_small_cap(cap: int) -> None:
    # The marker takes some 65 characters; head and tail shrink until all three fit, or nothing is cut.
    found = cut("a" * 3_000, cap=cap)
    if found is None:
        assert cap < 75
    else:
        assert found[2] <= cap
        (_, start, end) = found[0]  # type: ignore[misc]
        assert start >= 3_000 - end, "the head has the larger share"


@pytest.mark.parametrize("cap", [0, 1, 20, 60])
def test_a_cap_below_the_marker_cuts_nothing(cap: int) -> None:
    assert cut("a" * 3_000, cap=cap) is None


@pytest.mark.parametrize(
    ("head", "tail", "expected"),
    [(0.5, 0.0, (0, 1_000, 5_000)), (0.0, 0.5, (0, 0, 4_000)), (0.9, 0.01, (0, 1_800, 4_980))],
)
def test_either_share_may_be_nothing(head: float, tail: float, expected: Cut) -> None:
    found = cut("a" * 5_000, head=head, tail=tail)
    assert found is not None
    assert found[0] == expected


JOINED = {
    "CRLF": ("\r\n", 1),
    "combining acute": ("e\u0301", 1),
    "two marks": ("e\u0301\u0323", 2),
    "joiner": ("\U0001f468\u200d\U0001f469", 2),
    "variation selector": ("\u2764\ufe0f", 1),
    "skin tone": ("\U0001f44d\U0001f3fd", 1),
    "surrogate pair kept apart": ("\ud83d\ude00", 1),
}


@pytest.mark.parametrize("name", JOINED)
def test_a_head_goes_back_from_inside_a_character(name: str) -> None:
    joined, inside = JOINED[name]
    for offset in range(1, inside + 1):
        text = "a" * (1_400 - offset) + joined + "b" * 5_000
        found = cut(text)
        assert found is not None
        assert found[0][1] == 1_400 - offset


@pytest.mark.parametrize("name", JOINED)
def test_a_tail_goes_forward_from_inside_a_character(name: str) -> None:
    joined, inside = JOINED[name]
    for offset in range(1, inside + 1):
        # 480 characters from the end begin `offset` places inside the character.
        text = "a" * 5_000 + joined + "b" * (480 - len(joined) + offset)
        found = cut(text)
        assert found is not None
        assert found[0][2] == 5_000 + len(joined)


@pytest.mark.parametrize("joined", ["1\u20e3", "\u0915\u093e", "\u0e01\u0e31"], ids=["keycap", "Devanagari", "Thai"])
def test_a_mark_of_combining_class_nought_is_a_mark(joined: str) -> None:
    # General category M, in Unicode 3.2 already: Me U+20E3, Mc U+093E, Mn U+0E31.
    found = cut("a" * 1_399 + joined + "b" * 5_000)
    assert found is not None
    assert found[0][1] == 1_399


def test_an_ordinary_place_is_not_moved() -> None:
    for text in ("漢" * 5_000, "\n" * 5_000, "\r" * 5_000):
        found = cut(text)
        assert found is not None
        assert found[0] == (0, 1_400, 4_520)


def test_a_cut_over_several_blocks_names_both() -> None:
    # Head: 1,000 + 400 of the second; tail: 300 whole + 180 of the fourth (1,000 long: from 820).
    blocks = ("a" * 1_000, "b" * 1_000, "c" * 1_000, "d" * 1_000, "e" * 300)
    found = cut(*blocks)
    assert found is not None
    assert found[0] == (1, 400, 3, 820)
    (left,) = blocks_in_form(result(*blocks), Form.TRUNCATED, found[1], found[0])
    assert isinstance(left, ToolResult)
    texts = [part.text for part in left.content if isinstance(part, Text)]
    assert texts == ["a" * 1_000, "b" * 400 + found[1] + "d" * 180, "e" * 300]
    assert ONE.blocks((left,)) == found[2] <= 2_000


def test_a_cut_inside_one_of_several_blocks() -> None:
    # Head: 100 + 1,300 of the second; tail: 80 + 400 of the second (5,000 long: from 4,600).
    found = cut("a" * 100, "b" * 5_000, "c" * 80)
    assert found is not None
    assert found[0] == (1, 1_300, 4_600)


def test_an_image_that_does_not_fit_goes_with_what_is_cut() -> None:
    # 1,600 tokens are over the 1,400 of the head: the head ends before the image, the tail is 480 of the text.
    blocks = ("a" * 100, IMAGE, "b" * 1_000)
    found = cut(*blocks)
    assert found is not None
    assert found[0] == (1, 0, 2, 520)
    (left,) = blocks_in_form(result(*blocks), Form.TRUNCATED, found[1], found[0])
    assert isinstance(left, ToolResult)
    assert [type(part) for part in left.content] == [Text, Text]


def test_an_image_alone_cannot_be_cut() -> None:
    assert cut(IMAGE, cap=500) is None


def test_an_image_that_fits_stays() -> None:
    # Head of 0.7 x 4,000 = 2,800: the image's 1,600 and 1,200 of the text; tail 960.
    found = cut(IMAGE, "b" * 9_000, cap=4_000)
    assert found is not None
    assert found[0] == (1, 1_200, 8_040)


@given(
    st.lists(st.one_of(st.text(max_size=40), st.sampled_from(ODD), st.just(IMAGE)), max_size=12),
    st.integers(0, 400),
    st.sampled_from([(0.7, 0.24), (0.0, 0.0), (0.99, 0.0), (0.0, 0.5), (0.4, 0.59)]),
    st.sampled_from(["1", "4", "0.5", "2.7"]),
)
def test_whatever_is_left_is_head_and_tail_and_within_the_cap(
    parts: list[str | Other], cap: int, shares: tuple[float, float], by: str
) -> None:
    content = [part * 5 if isinstance(part, str) else part for part in parts]
    found = cut(*content, cap=cap, head=shares[0], tail=shares[1], by=counter(by))
    if found is None:
        return
    place, marker, left = found
    (whole,), (standing,) = result(*content), blocks_in_form(result(*content), Form.TRUNCATED, marker, place)
    assert isinstance(standing, ToolResult)
    assert counter(by).blocks((standing,)) == left <= cap
    first, start, last, end = (*place[:2], place[0], place[2]) if len(place) == 3 else place
    assert (first, start) <= (last, end)
    assert standing.content[:first] == whole.content[:first]
    assert standing.content[first + 1 :] == whole.content[last + 1 :]
    seam = standing.content[first]
    assert isinstance(seam, Text)
    head, _, tail = seam.text.partition(marker)
    for part, kept, at_start in ((whole.content[first], head, True), (whole.content[last], tail, False)):
        text = part.text if isinstance(part, Text) else ""
        assert text.startswith(kept) if at_start else text.endswith(kept)
