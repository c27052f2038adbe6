"""Counters by name: what each counts, says of itself and refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tokens.build import transcript
from windowkeeper_cli.model.block import Blocks, Other, Text, Think, ToolCall
from windowkeeper_cli.model.counter import Counter
from windowkeeper_cli.model.errors import CompactionUnmeasurableError, UsageError
from windowkeeper_cli.tokens import COUNTERS, counts, estimating, known
from windowkeeper_cli.tokens.scaled import ScaledCounter
from windowkeeper_cli.tokens.weigh import UNIT, weigh

WORDS = "The window is what the model sees at one call. " * 40
GROWING: list[Blocks] = [(Text(WORDS),)] * 8


@pytest.mark.parametrize("name", ["auto", "estimate", "calibrated", "chars:4", "chars:2.75"])
def test_every_item_counted_once_and_as_the_counter_does(name: str) -> None:
    made = transcript([(Text("ask"),), (Think("why", None), ToolCall("c", "bash", '{"command":"ls"}')), (Text(WORDS),)])
    found = counts(made, name)
    assert found.tokens == tuple(found.counter.blocks(made.source.blocks(at)) for at in range(3))
    assert made.source.asked == [2, 2, 2]  # type: ignore[attr-defined]
    assert all(found.tokens)


@pytest.mark.parametrize("name", ["estimate", "chars:4"])
def test_nothing_is_no_token(name: str) -> None:
    counter = counts(transcript([()]), name).counter
    assert counter.text("") == counter.blocks(()) == counter.blocks((Text(""),)) == 0


@pytest.mark.parametrize("name", ["estimate", "chars:4", "chars:0.5"])
@given(text=st.text(max_size=60), more=st.text(max_size=20))
def test_never_less_than_a_beginning(name: str, text: str, more: str) -> None:
    counter = counts(transcript([]), name).counter
    assert counter.text(text) <= counter.text(text + more)
    assert counter.text(text) == counter.blocks((Text(text),))
    assert (counter.text(text) > 0) == (text != "")


def test_estimate_is_the_weight_in_tokens_rounded_up() -> None:
    counter = estimating()
    assert counter.text(WORDS) == -(-weigh(WORDS) // UNIT)
    assert counter.label.sentence == "estimated"
    assert not counter.label.measured
    assert counter.label.unseen_prefix == 0


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("claude-opus-4-5-20251101", "Claude up to 4.6"),
        ("claude-3-5-sonnet-20241022", "Claude up to 4.6"),
        ("claude-opus-4-20250514", "Claude up to 4.6"),
        ("anthropic/claude-sonnet-4.6", "Claude up to 4.6"),
        ("claude-opus-4-7", "Claude 4.7 and newer"),
        ("anthropic/claude-opus-4.8", "Claude 4.7 and newer"),
        ("claude-fable-5", "Claude 4.7 and newer"),
        ("claude-opus-10", "Claude 4.7 and newer"),
    ],
)
def test_estimate_at_the_scale_of_the_family(model: str, words: str) -> None:
    counter = estimating(model)
    assert counter.label.sentence == f"estimated, at the scale of {words}"
    assert counter.text(WORDS) > 1.2 * estimating().text(WORDS)


@pytest.mark.parametrize("model", ["gpt-5.2-codex", "gemini-3-pro", "", "claude", "claude-instant", "not-a-model-4-7"])
def test_estimate_of_an_unknown_family_is_not_scaled(model: str) -> None:
    assert estimating(model) == estimating(None)


def test_estimate_takes_the_model_of_most_calls() -> None:
    made = transcript([(Text(WORDS),)], [(0, None)] * 3, models=["gpt-5", "claude-opus-4-5", "claude-opus-4-5"])
    assert counts(made, "estimate").counter == estimating("claude-opus-4-5")


def test_images_are_not_scaled() -> None:
    image = Other("image", "{}", (750, 100))
    assert estimating("claude-opus-4-7").blocks((image,)) == estimating().blocks((image,)) == 100


def test_scaling_is_in_whole_numbers_and_rounds_up_once_an_item() -> None:
    """By hand: 'be' weighs 10/64; seven of them 70/64: 2 tokens, and at 2.5 times 2.7, so 3."""
    label = estimating().label
    assert weigh("be") == 10
    assert ScaledCounter(label).blocks((Text("be"),) * 7) == 2
    assert ScaledCounter(label, 25_000).blocks((Text("be"),) * 7) == 3


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("chars:4", "abcd", 1),
        ("chars:4", "abcde", 2),
        ("chars:1", "abcde", 5),
        ("chars:2.5", "abcde", 2),
        ("chars:0.001", "ab", 2000),
        ("chars:1000", "a", 1),
        ("chars:1", "ä€漢🚀", 4),
    ],
)
def test_chars_by_hand(name: str, text: str, tokens: int) -> None:
    counter = counts(transcript([]), name).counter
    assert counter.text(text) == tokens
    assert counter.label.sentence == name.replace(":", "/")
    assert counter.label.chars_per_token == float(name.partition(":")[2])


@pytest.mark.parametrize(
    "name",
    [
        "chars",
        "chars:",
        "chars:0",
        "chars:-1",
        "chars:1001",
        "chars:x",
        "chars:1e2",
        "chars:nan",
        "chars:٤",
        "chars:2.7182",
        "chars: 4",
        "chars:4 ",
        "chars:4:4",
        "chars:1/2",
    ],
)
def test_chars_needs_a_number(name: str) -> None:
    with pytest.raises(UsageError, match="needs a number of characters a token; give one above 0 and up to 1000"):
        counts(transcript([]), name)


@pytest.mark.parametrize("name", ["bpe:o200k_base", "bpe"])
def test_later_counters_say_so(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        counts(transcript([]), name)
    family = name.partition(":")[0]
    known = "auto, estimate, chars:N, calibrated, reported"
    assert str(caught.value) == f"counter '{family}' is not in this version; known: {known}"


@pytest.mark.parametrize("name", ["", "Estimate", "tiktoken", "nonsense:4"])
def test_unknown_counters_name_the_known(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        counts(transcript([]), name)
    assert str(caught.value) == f"unknown counter {name!r}; known: auto, estimate, chars:N, calibrated, reported"


@pytest.mark.parametrize("name", ["auto:", "estimate:4", "calibrated:x"])
def test_an_argument_that_nobody_takes(name: str) -> None:
    with pytest.raises(UsageError, match="takes nothing after a colon"):
        counts(transcript([]), name)


def test_reported_refuses_by_name_where_nothing_is_reported() -> None:
    with pytest.raises(CompactionUnmeasurableError, match="unmeasurable: --counter reported, and no call"):
        counts(transcript(GROWING, [(at, None) for at in (1, 3, 5, 7)]), "reported")


def test_reported_sizes_items_as_calibrated_does_and_says_how_many_calls_report() -> None:
    found = counts(transcript(GROWING, [(1, 1_000), (3, 1_100), (5, None), (7, 1_300)]), "reported")
    assert (
        found.tokens
        == counts(transcript(GROWING, [(1, 1_000), (3, 1_100), (5, None), (7, 1_300)]), "calibrated").tokens
    )
    assert found.counter.label.name == "reported"
    assert found.counter.label.sentence.startswith("reported by the provider for 3 of 4 calls; items ")


def test_only_a_chosen_counter_is_explicit() -> None:
    assert counts(transcript(GROWING, [(at, None) for at in (1, 3, 5, 7)]), "estimate").explicit
    assert not counts(transcript(GROWING, [(at, None) for at in (1, 3, 5, 7)]), "auto").explicit


def test_auto_calibrates_from_three_reporting_calls_on() -> None:
    per_item = estimating().blocks(GROWING[0])
    prompts: list[tuple[int, int | None]] = [(at, 5_000 + 2 * at * per_item) for at in (1, 3, 5)]
    assert counts(transcript(GROWING, prompts)).counter.label.name == "calibrated"
    assert counts(transcript(GROWING, prompts[:2])).counter == estimating()
    assert counts(transcript(GROWING, [*prompts[:2], (5, None)])).counter == estimating()
    assert counts(transcript(GROWING, [*prompts[:2], (5, 0)])).counter == estimating()


def test_names_are_the_registry_s() -> None:
    assert [name.partition(":")[0] for name in known()] == list(COUNTERS.names)


def test_counters_keep_the_protocol() -> None:
    counter: Counter = counts(transcript([]), "chars:4").counter
    assert counter.label.name == "chars:4"


@pytest.mark.parametrize("name", ["auto", "estimate", "chars:4"])
def test_hidden_thinking_is_counted_apart(name: str) -> None:
    made = transcript([(Think("", "sig"), Text("a")), (Think("", "sig"),), (Think("b", None),)])
    found = counts(made, name)
    assert found.hidden_thinking == 2
    assert found.tokens[1] == 0
