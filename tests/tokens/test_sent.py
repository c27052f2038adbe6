"""The windows of a wire log: what left, what came back and what stands in another form, by hand."""

from __future__ import annotations

from tests.tokens.build import transcript
from windowkeeper_cli.model.block import Blocks, Text
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.tokens.sent import sent_windows
from windowkeeper_cli.tokens.tally import tally_items
from windowkeeper_cli.tokens.weigh import weigh

WORDS: list[Blocks] = [(Text("word " * count),) for count in (10, 200, 30, 400, 50, 60)]
SIZES = [weigh("word " * count) for count in (10, 200, 30, 400, 50, 60)]
CALLS = [(1, 100), (3, 110), (5, 120), (6, 130)]


def weights(*events: Event) -> list[int]:
    made = transcript(WORDS, CALLS, events=events)
    return [sent.weight for sent in sent_windows(made, tally_items(made))]


def test_without_events_every_window_is_all_that_was_held() -> None:
    assert weights() == [sum(SIZES[:at]) for at, _ in CALLS]


def test_what_left_is_not_counted_until_it_comes_back() -> None:
    left = Event("window", at=3, call=3, where="log:3", left=(1, 2))
    back = Event("window", at=5, call=4, where="log:4", back=(1,))
    assert weights(left, back)[2:] == [sum(SIZES[:5]) - SIZES[1] - SIZES[2], sum(SIZES) - SIZES[2]]


def test_what_is_shown_in_another_form_counts_as_shown() -> None:
    shown = ((Text("short"),),)
    clear = Event("clear", at=3, call=3, where="log:3", cleared=(1,), shown=shown)
    again = Event("clear", at=5, call=4, where="log:4", cleared=(1,), shown=((Text("word " * 90),),))
    assert weights(clear, again)[2:] == [
        sum(SIZES[:5]) - SIZES[1] + weigh("short"),
        sum(SIZES) - SIZES[1] + weigh("word " * 90),
    ]


def test_a_compaction_keeps_the_form_of_what_it_keeps_and_what_it_took_may_come_back() -> None:
    clear = Event("clear", at=1, call=2, where="log:2", cleared=(1,), shown=((Text("short"),),))
    fold = Event("compaction", at=3, call=3, where="log:3", summary=(Text("so far"),), kept=(1,))
    back = Event("window", at=5, call=4, where="log:4", back=(0, 1))
    summary = weigh("so far")
    assert weights(clear, fold, back) == [
        SIZES[0],
        SIZES[0] + weigh("short") + SIZES[2],
        summary + weigh("short") + SIZES[3] + SIZES[4],
        summary + sum(SIZES) - SIZES[2],
    ]
