"""Whatever the bytes: a transcript, or one of our own errors on one line; and every item gives its bytes."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.damaged import at_every_place, loaded, mutated, options, seeds
from tests.formats.logs import LogFile, text
from windowkeeper_cli.formats import FORMATS


def test_every_format_has_an_input_to_be_damaged() -> None:
    held = [transcript.format for seed in seeds() if (transcript := loaded(seed)) is not None]
    assert set(held) == set(FORMATS.names)
    assert len(held) == len(seeds()), "a seed that is no transcript tests little"


@pytest.mark.parametrize("seed", range(12))
def test_mutated_inputs(seed: int) -> None:
    """250 each: a quick share of the long run (`python -m tests.battery fuzz`), which is the same with more seeds."""
    r = random.Random(seed)
    for _ in range(250):
        loaded(mutated(r), **options(r, FORMATS.names))


@pytest.mark.parametrize("part", range(8))
def test_a_value_of_another_kind_at_any_place(part: int) -> None:
    """Objects and lists cannot be looked up in a set: code that takes a text for granted falls over them."""
    for data in islice(at_every_place(("{}",)), part, None, 8):
        loaded(data)


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes(data: bytes) -> None:
    loaded(data)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 10_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        b'{"type":"user","uuid":"u","sessionId":"s","message":{"content":' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{"type":"user","uuid":"u","sessionId":"s","message":{"content":"x","n":' + b"9" * 10_000 + b"}}",
        b'{"role":"user","content":[{"type":"x","n":' + b"9" * 10_000 + b"}]}",
        b'{"role":"user","content":"a","content":"b"}',
        b'{"role":"user","content":[{"type":"x","n":NaN,"m":-Infinity}]}',
    ],
)
def test_hostile_values(data: bytes) -> None:
    loaded(data)


def test_a_queue_of_many_thousand_prompts_is_no_slow_load() -> None:
    """Counted by what is loaded, not by the clock: a slow rule would not end at this size."""
    log = LogFile()
    log.user("a")
    for number in range(20_000):
        log.bare(type="queue-operation", operation="enqueue", content=f"p{number}")
    for _ in range(20_000):
        log.bare(type="queue-operation", operation="remove")
    log.reply("m1", text("b"))
    assert len(log.load().items) == 20_002
