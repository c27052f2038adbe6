"""Calibration on transcripts made so that the right ratio, prefix and error are known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.tokens.build import transcript
from windowkeeper_cli.model.block import Blocks, Other, Text, Think, ToolResult
from windowkeeper_cli.model.counter import CounterLabel, Counts
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.tokens import counts, estimating
from windowkeeper_cli.tokens.byte_weights import WEIGHTS
from windowkeeper_cli.tokens.scaled import ScaledCounter
from windowkeeper_cli.tokens.sent import CLEARED_STUB, sent_windows
from windowkeeper_cli.tokens.tally import tally_items
from windowkeeper_cli.tokens.weigh import weigh

PROSE = "The window is what the model sees at one call, and nothing that left it can be seen again. "
BULK: list[Blocks] = [(Text(PROSE * (30 + at % 7)),) for at in range(60)]
PREFIX = 20_000


def truth(scale: int) -> ScaledCounter:
    return ScaledCounter(CounterLabel("truth", "truth"), scale)


def prompts(blocks: Sequence[Blocks], scale: int, step: int = 2, prefix: int = PREFIX) -> list[tuple[int, int | None]]:
    """What a provider would report whose tokens are `scale` per 10,000 of the estimate."""
    counter = truth(scale)
    return [(at, prefix + sum(map(counter.blocks, blocks[:at]))) for at in range(1, len(blocks), step)]


def calibrated(blocks: Sequence[Blocks], reported: Sequence[tuple[int, int | None]], **more: object) -> Counts:
    return counts(transcript(blocks, reported, **more), "calibrated")  # type: ignore[arg-type]


def close(found: Counts, scale: int, prefix: int = PREFIX) -> None:
    counter = found.counter
    assert isinstance(counter, ScaledCounter)
    assert abs(counter.scale - scale) <= scale // 500
    assert counter.label.measured
    assert abs(counter.label.unseen_prefix - prefix) <= 50


@pytest.mark.parametrize("scale", [12_000, 15_000, 31_000])
def test_ratio_and_prefix_come_back(scale: int) -> None:
    found = calibrated(BULK, prompts(BULK, scale))
    close(found, scale)
    label = found.counter.label
    assert label.fitted_on == 30
    assert label.error_median is not None and label.error_median < 0.002
    assert label.error_p90 is not None and label.error_median <= label.error_p90 < 0.002
    weights = sum(weigh(block.text) for (block,) in BULK if isinstance(block, Text))
    chars = sum(len(block.text) for (block,) in BULK if isinstance(block, Text))
    assert label.chars_per_token == pytest.approx(chars / (weights / 64 * scale / 10_000), rel=0.002)


def test_sentence() -> None:
    """By hand: 100 characters a text; prompts grow by 50 a text, so 2.00 characters a token; 1,000 - 50 unseen."""
    text = "x" * 100
    assert weigh(text) == 50 * WEIGHTS[2][2]
    found = calibrated([(Text(text),)] * 6, [(at, 950 + 50 * at) for at in range(1, 6)])
    assert found.counter.label.sentence == (
        "calibrated, fitted on 5 calls: 2.00 characters a token, unseen prefix 950, median error 0.0%"
    )
    assert found.tokens == (50,) * 6


def test_one_wild_call_and_one_jump_do_not_move_it() -> None:
    reported = prompts(BULK, 15_000)
    reported[11] = (reported[11][0], 10 * (reported[11][1] or 0))
    close(calibrated(BULK, reported), 15_000)
    jumped = [
        (at, (prompt or 0) + (9_000 if number >= 22 else 0))
        for number, (at, prompt) in enumerate(prompts(BULK, 15_000))
    ]
    found = calibrated(BULK, jumped)
    close(found, 15_000)
    assert found.counter.label.error_p90 is not None and found.counter.label.error_p90 > 0.02


def test_a_fall_that_no_event_explains_begins_a_new_stretch() -> None:
    reported = [
        (at, (prompt or 0) - (30_000 if number >= 15 else 0))
        for number, (at, prompt) in enumerate(prompts(BULK, 15_000, prefix=60_000))
    ]
    found = calibrated(BULK, reported)
    close(found, 15_000, 60_000)
    assert found.counter.label.error_p90 is not None and found.counter.label.error_p90 < 0.002


def test_compaction_takes_out_what_stood_before_it() -> None:
    """By hand: after the event the window is the system text, item 3, the summary and the items from 30 on."""
    counter = truth(15_000)
    summary: Blocks = (Text(PROSE * 12),)
    event = Event("compaction", at=30, call=16, where="log:1", summary=summary, kept=(3,))
    reported = []
    for at in range(1, 60, 2):
        window = BULK[:at] if at < 30 else [BULK[0], BULK[3], summary, *BULK[30:at]]
        reported.append((at, PREFIX + sum(map(counter.blocks, window))))
    made = transcript(BULK, list(reported), events=(event,), envelope=1)
    sizes = [sent.weight for sent in sent_windows(made, tally_items(made))]
    assert sizes[14] == sum(found.size for found in tally_items(made)[:29])
    assert sizes[15] == weigh(PROSE * 30) + weigh(PROSE * 33) + weigh(PROSE * 12) + weigh(PROSE * 32)
    found = counts(made)
    close(found, 15_000)
    assert found.counter.label.error_p90 is not None and found.counter.label.error_p90 < 0.002


def test_microcompaction_leaves_a_short_stub() -> None:
    results: list[Blocks] = [(ToolResult(f"c{at}", "read", False, (Text(PROSE * 30),)),) for at in range(8)]
    events = (
        Event("microcompaction", at=4, call=3, where="log:1", cleared=(1, 2)),
        Event("microcompaction", at=6, call=4, where="log:2", cleared=(2, 3)),
        Event("compaction", at=7, call=5, where="log:3", kept=(3, 5)),
    )
    made = transcript(results, [(1, 100), (3, 200), (5, 300), (6, 400), (8, 500)], events=events)
    full, stub = weigh(PROSE * 30), weigh(CLEARED_STUB)
    windows = sent_windows(made, tally_items(made))
    assert [sent.weight for sent in windows] == [
        full,
        3 * full,
        3 * full + 2 * stub,
        3 * full + 3 * stub,
        2 * full + stub,
    ]
    assert [sent.stretch for sent in windows] == [0, 0, 1, 2, 3]


def test_what_is_cleared_after_it_left_is_not_taken_out_twice() -> None:
    events = (
        Event("compaction", at=3, call=2, where="log:1"),
        Event("microcompaction", at=4, call=3, where="log:2", cleared=(0, 3)),
    )
    made = transcript([(Text(PROSE),)] * 5, [(2, 9), (4, 9), (5, 9)], events=events)
    one, stub = weigh(PROSE), weigh(CLEARED_STUB)
    assert [sent.weight for sent in sent_windows(made, tally_items(made))] == [2 * one, one, one + stub]


def test_another_model_begins_a_new_stretch() -> None:
    """Opus reports 1.5 times the estimate, Haiku (a third of the calls) half as much; both from the same prefix."""
    opus, haiku = prompts(BULK, 15_000), prompts(BULK, 7_500)
    reported = [*opus[:20], *haiku[20:]]
    found = calibrated(BULK, reported, models=["claude-opus-4-5"] * 20 + ["claude-haiku-4-5"] * 10)
    close(found, 15_000)


def test_images_count_by_their_rule_and_do_not_bend_the_ratio() -> None:
    blocks = [(*block, Other("image", "{}", (1000, 750))) if at % 3 == 0 else block for at, block in enumerate(BULK)]
    found = calibrated(blocks, prompts(blocks, 15_000))
    close(found, 15_000)


def test_calls_without_a_figure_are_no_readings() -> None:
    reported = [(at, prompt if number % 3 else None) for number, (at, prompt) in enumerate(prompts(BULK, 15_000))]
    found = calibrated(BULK, reported)
    assert found.counter.label.fitted_on == 20
    assert isinstance(found.counter, ScaledCounter)
    assert abs(found.counter.scale - 15_000) <= 30
    assert abs(found.counter.label.unseen_prefix - PREFIX) <= 50


def test_the_prefix_is_never_below_nothing() -> None:
    found = calibrated(BULK, prompts(BULK, 15_000, prefix=-300))
    assert found.counter.label.unseen_prefix == 0


def test_hidden_thinking_is_said() -> None:
    blocks: list[Blocks] = [(*block, Think("", "sig")) if at in (4, 9) else block for at, block in enumerate(BULK)]
    found = calibrated(blocks, prompts(blocks, 15_000))
    assert found.counter.label.sentence.endswith(", 2 hidden thinking blocks not counted")
    assert found.hidden_thinking == 2


@pytest.mark.parametrize(
    ("reported", "why"),
    [
        ([], "0 calls report usage, 3 are needed to calibrate"),
        ([(1, 20_000), (3, 21_000)], "2 calls report usage, 3 are needed to calibrate"),
        ([(1, 20_000), (1, 20_000), (1, 20_000)], "not calibrated: the reported prompts do not grow with the items"),
        ([(at, 900_000) for at in range(1, 59)], "not calibrated: the reported prompts do not grow with the items"),
        ([(at, 20_000 + at) for at in range(1, 59)], "not calibrated: the reported prompts would mean "),
        (prompts(BULK, 60_000), "not calibrated: the reported prompts would mean "),
        (prompts(BULK, 6_000), "not calibrated: the reported prompts would mean "),
    ],
)
def test_where_nothing_fits_the_estimate_stays(reported: list[tuple[int, int | None]], why: str) -> None:
    found = calibrated(BULK, reported)
    assert found.counter.label.sentence.startswith(f"estimated ({why}")
    assert not found.counter.label.measured
    assert found.counter.label.name == "estimate"
    assert found.tokens == tuple(map(estimating().blocks, BULK))


def test_every_item_is_read_once() -> None:
    made = transcript(BULK, prompts(BULK, 15_000))
    counts(made)
    assert set(made.source.asked) == {1}  # type: ignore[attr-defined]
