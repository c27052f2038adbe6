"""Which sentences are standing orders: made by hand for each phrase and each near miss of spec/7."""

from __future__ import annotations

import pytest

from windowkeeper_cli.replay.gaps.orders import orders


def cues(text: str) -> list[str]:
    """Return each order of a text from where it begins."""
    return [order.sentence.raw[order.cue :] for order in orders(text)]


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("Never push to main.", "Never push to main."),
        ("never ever touch the lock file", "never ever touch the lock file"),
        ("Always run the tests first", "Always run the tests first"),
        ("Do not edit generated files.", "Do not edit generated files."),
        ("please don't add comments", "don't add comments"),
        ("pls dont commit", "dont commit"),
        ("Don\u2019t invent values", "Don\u2019t invent values"),
        ("DO NOT re-run it!", "DO NOT re-run it!"),
        ("**Never** use `--headed`", "Never** use `--headed`"),
        ("IMPORTANT: Never ask twice", "Never ask twice"),
        ("ok, but always rebuild before that", "always rebuild before that"),
        ("Only use emojis when asked.", "Only use emojis when asked."),
        ("Reply with ONLY the name.", "Reply with ONLY the name."),
        ("Change only the tests", "Change only the tests"),
        ("Avoid broad queries", "Avoid broad queries"),
        ("From now on, write British English.", "From now on, write British English."),
        ("Write British English from now on", "from now on"),
        ("under no circumstances drop the table", "under no circumstances drop the table"),
        ("You must read it first.", "You must read it first."),
        ("You should never skip a test", "You should never skip a test"),
        ("you are not allowed to push", "you are not allowed to push"),
        ("we must never store tokens", "we must never store tokens"),
        ("I want you to always ask first", "I want you to always ask first"),
        ("i told you not to push", "i told you not to push"),
        ("The answer must be one line.", "The answer must be one line."),
        ("must be off by default", "must be off by default"),
        ("invalid themes must NEVER explode", "invalid themes must NEVER explode"),
        ("If it fails, do not retry.", "do not retry."),
        ("Stage explicit paths, and never push directly", "never push directly"),
        ("just answer in text - do not call the tool", "do not call the tool"),
        ("Look it up (don't read the full file!)", "don't read the full file!)"),
        ("Default: do not commit", "do not commit"),
    ],
)
def test_a_standing_order_is_found_where_it_begins(text: str, cue: str) -> None:
    assert cues(text) == [cue]


@pytest.mark.parametrize(
    "text",
    [
        "Do we always run the tests?",
        "do not you think so?",
        "why do we never push",
        "```\nNever push to main.\n```",
        "make it read-only",
        "only-child rows are fine",
        "an append-only log, always-on",
        'he wrote "never push to main" there',
        "the flag is `never push`",
        "> Never push to main.",
        "2026-01-02 03:04:05 Never push to main.",
        "| must | never push |",
        "It never returns and always logs twice",
        "never mind",
        "never seen that before",
        "never got it to work",
        "always the same",
        "Always loaded into the context",
        "Only works with Python",
        "only the first row, only 3 of them",
        "only if there is time",
        "don't know",
        "don't worry about it",
        "do not hesitate to ask",
        "the tests don't pass",
        "logs don't show the state anymore",
        "they don't really need to exist",
        "I would never do that",
        "I think it must be the cache",
        "it must have been the cache",
        "there must be a bug",
        "this must be the reason",
        "the ids are only used there",
        "a must-have",
        "you always forget to run the tests",
        "you never ran the tests",
        "I ran it and never got a result",
        "from now on it works",
        "we can only see one",
        "`grader` must match the name",
        "Keep it short (avoid token limits)",
        "yes",
        "",
    ],
)
def test_a_near_miss_is_no_order(text: str) -> None:
    assert cues(text) == []


def test_each_sentence_gives_one_order() -> None:
    assert cues("Never push, never pull. Is it never so? Always ask.") == ["Never push, never pull.", "Always ask."]


@pytest.mark.parametrize(
    "part", ["never ", "must ", "a must ", ", and ", "please ", "do not", " (", "from now on ", "x" * 50]
)
def test_a_long_sentence_is_read_in_linear_time(part: str) -> None:
    # A quadratic reader would need minutes for it, and the test run would stop.
    assert isinstance(cues(part * 20_000 + " must y"), list)
