"""What is counted in an item: every block kind, by hand."""

from __future__ import annotations

import pytest

from tests.tokens.build import transcript
from windowkeeper_cli.model.block import Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.tokens.media import DOCUMENT_TOKENS, IMAGE_TOKENS, image_tokens
from windowkeeper_cli.tokens.tally import Tally, tally, tally_items

PIXELS = '{"type":"image","source":{"type":"base64","data":"' + "A" * 50_000 + '"}}'


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ((), Tally(0, 0, 0, 0)),
        ((Text("abc"),), Tally(3, 3, 0, 0)),
        ((Think("abcd", "sig" * 100),), Tally(4, 4, 0, 0)),
        ((Think("", "sig"), Text("ab"), Think("", None)), Tally(2, 2, 0, 2)),
        ((ToolCall("toolu_1", "bash", '{"a":1}'),), Tally(11, 11, 0, 0)),
        ((ToolResult("toolu_1", "bash", False, (Text("ab"), Text("cde"))),), Tally(5, 5, 0, 0)),
        ((Other("image", PIXELS),), Tally(0, 0, IMAGE_TOKENS, 0)),
        ((Other("image", PIXELS, (750, 100)),), Tally(0, 0, 100, 0)),
        (
            (
                ToolResult(
                    "x",
                    None,
                    True,
                    (Text("a"), Other("image", PIXELS, (750, 2))),
                ),
            ),
            Tally(1, 1, 2, 0),
        ),
        ((Other("document", '{"type":"document","source":{"type":"base64"}}'),), Tally(0, 0, DOCUMENT_TOKENS, 0)),
        ((Other("tool_reference", '{"n":1}'),), Tally(7, 7, 0, 0)),
    ],
)
def test_by_hand(blocks: Blocks, expected: Tally) -> None:
    assert tally(blocks, len) == expected


def test_sizes_are_the_counter_s_and_chars_are_characters() -> None:
    assert tally((Text("äö"), Text("€")), lambda text: len(text.encode())) == Tally(7, 3, 0, 0)


@pytest.mark.parametrize(
    ("json", "fixed"),
    [
        ('{"type":"document","source":{"type":"text","data":"hello"}}', 0),
        ('{"type":"document","source":{"type":"base64","media_type":"text/plain","data":"aGk="}}', DOCUMENT_TOKENS),
        ('{"type":"document","title":"text","source":"text"}', DOCUMENT_TOKENS),
        ('{"type":"document","source":{"type":"text"', DOCUMENT_TOKENS),
        ('["text"]', DOCUMENT_TOKENS),
    ],
)
def test_document_with_its_text_counts_as_text(json: str, fixed: int) -> None:
    found = tally((Other("document", json),), len)
    assert found.fixed == fixed
    assert found.size == (0 if fixed else len(json))


@pytest.mark.parametrize(
    ("size", "tokens"),
    [
        ((0, 0), 1),
        ((1, 1), 1),
        ((200, 200), 54),  # Anthropic's table: "200x200 px, ~54 tokens"
        ((1000, 1000), 1334),  # the same table: "1000x1000 px, ~1334 tokens"
        ((1092, 1092), 1590),  # the same table: "1092x1092 px, ~1590 tokens"
        ((4000, 4000), IMAGE_TOKENS),
        ((3136, 100), 105),  # halved to 1568 x 50: 78,400 / 750, rounded up
        ((100_000, 1), 1),
    ],
)
def test_images_by_the_published_rule(size: tuple[int, int], tokens: int) -> None:
    assert image_tokens(*size) == tokens


def test_every_item_is_read_once() -> None:
    made = transcript([(Text("a"),), (), (Text("bc"),)])
    assert [found.chars for found in tally_items(made)] == [1, 0, 2]
    assert made.source.asked == [1, 1, 1]  # type: ignore[attr-defined]
