"""Where a long result is cut: its head and its tail stay, and a marker between them names the id."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

from windowkeeper_cli.model.block import Blocks, Text, ToolResult
from windowkeeper_cli.model.counter import Counter
from windowkeeper_cli.model.decision import TRUNCATED, Cut
from windowkeeper_cli.model.settings import ToolResults
from windowkeeper_cli.model.stand_in import Content, blocks_in_form

CHUNK = 256
_SHRINK = 0.85
_TRIES = 12
_CATEGORY = unicodedata.ucd_3_2_0.category
"""Unicode 3.2, frozen in the standard library: the same marks under every Python version."""
_MARKS = frozenset({"Mn", "Mc", "Me"})


def marker_text(tokens: int, item_id: str) -> str:
    """Return the marker that stands for `tokens` tokens cut out of the item."""
    return f'\n[cut here: {tokens:,} tokens; recall("{item_id}") returns the whole]\n'


def truncation(
    blocks: Blocks, item_id: str, tokens: int, rules: ToolResults, counter: Counter
) -> tuple[Cut, str, int] | None:
    """Return the cut, the marker and the tokens left, at most `rules.max_tokens_each`, or None where none fits.

    `tokens` is what the whole item counts. Head and tail get their shares of the cap, smaller ones while the
    marker leaves no room for them.
    """
    content = next((block.content for block in blocks if isinstance(block, ToolResult)), ())
    cap = rules.max_tokens_each
    head_share, tail_share = rules.keep_head, rules.keep_tail
    for _ in range(_TRIES):
        head = _fit(content, int(cap * head_share), counter, reverse=False)
        tail = _fit(content, int(cap * tail_share), counter, reverse=True)
        if head < tail:
            cut: Cut = (*head, tail[1]) if head[0] == tail[0] else (*head, *tail)
            found = _measure(blocks, cut, item_id, tokens, counter)
            if found[1] <= cap:
                return cut, *found
        head_share, tail_share = head_share * _SHRINK, tail_share * _SHRINK
    return None


def kept_tokens(blocks: Blocks, cut: Cut, counter: Counter) -> tuple[int, int]:
    """Return the tokens of the head and of the tail that a cut leaves."""
    content = next(block.content for block in blocks if isinstance(block, ToolResult))
    first, start, last, end = (cut[0], cut[1], cut[0], cut[2]) if len(cut) == 3 else cut
    head = sum(counter.blocks((part,)) for part in content[:first]) + counter.text(_text(content, first)[:start])
    tail = counter.text(_text(content, last)[end:]) + sum(counter.blocks((part,)) for part in content[last + 1 :])
    return head, tail


def _measure(blocks: Blocks, cut: Cut, item_id: str, tokens: int, counter: Counter) -> tuple[str, int]:
    bare = counter.blocks(blocks_in_form(blocks, TRUNCATED, "", cut))
    marker = marker_text(max(tokens - bare, 0), item_id)
    return marker, counter.blocks(blocks_in_form(blocks, TRUNCATED, marker, cut))


def _fit(content: Content, budget: int, counter: Counter, *, reverse: bool) -> tuple[int, int]:
    """Return (block, offset): as much from one end as `budget` tokens hold."""
    order = range(len(content))
    for index in reversed(order) if reverse else order:
        part = content[index]
        cost = counter.blocks((part,)) if len(content) > 1 else budget + 1
        if cost > budget:
            length = len(part.text) if isinstance(part, Text) else 0
            if not isinstance(part, Text):
                return index, 0
            take = _fit_text(part.text, budget, counter, reverse=reverse)
            return index, boundary(part.text, length - take if reverse else take, forward=reverse)
        budget -= cost
    return (-1, 0) if reverse else (len(content), 0)


def _fit_text(text: str, budget: int, counter: Counter, *, reverse: bool) -> int:
    """Return how many characters from one end count at most `budget` tokens, found in one pass over them."""
    taken = 0
    for piece in _pieces(text, reverse=reverse):
        cost = counter.text(piece)
        if cost > budget:
            return taken + _largest(len(piece), _counts(piece, budget, counter, reverse=reverse))
        budget -= cost
        taken += len(piece)
    return taken


def _pieces(text: str, *, reverse: bool) -> Iterable[str]:
    if reverse:
        return (text[max(end - CHUNK, 0) : end] for end in range(len(text), 0, -CHUNK))
    return (text[start : start + CHUNK] for start in range(0, len(text), CHUNK))


def _counts(piece: str, budget: int, counter: Counter, *, reverse: bool) -> Callable[[int], bool]:
    return lambda size: counter.text(piece[len(piece) - size :] if reverse else piece[:size]) <= budget


def _largest(most: int, fits: Callable[[int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def boundary(text: str, at: int, *, forward: bool) -> int:
    """Return the nearest place to cut that splits no character, going back from a head, forward from a tail."""
    step = 1 if forward else -1
    while 0 < at < len(text) and _joined(text[at - 1], text[at]):
        at += step
    return at


def _joined(left: str, right: str) -> bool:
    if left.isascii() and right.isascii():
        return left == "\r" and right == "\n"
    return (
        _CATEGORY(right) in _MARKS
        or right == "\u200d"
        or left == "\u200d"
        or "\ufe00" <= right <= "\ufe0f"
        or "\U0001f3fb" <= right <= "\U0001f3ff"
        or "\U000e0020" <= right <= "\U000e007f"
        or ("\ud800" <= left <= "\udbff" and "\udc00" <= right <= "\udfff")
    )


def _text(content: Content, index: int) -> str:
    part = content[index] if 0 <= index < len(content) else None
    return part.text if isinstance(part, Text) else ""
