"""Made-up conversations under every kind of removal: the events give back each request exactly (`spec/2`, Formats).

The conversations come from a seeded generator; what a request must hold is the request itself.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from tests.formats.wire_logs import Json, asks, gives, lines, pair, says, truth, uses, whole, windows

SEEDS = range(80)


class Made:
    """One conversation: `full` is all it ever held, `window` what the next request holds."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.full: list[Json] = [asks("u0")]
        self.window = list(self.full)
        self.pairs: list[Json] = []
        self.main: list[Json] = []

    def change(self, number: int) -> None:
        """Change the window as harnesses do: drop, fold, clear, reword or restore; the last two messages stay."""
        body = len(self.window) - 2
        if body < 2 or number < 2:
            return
        way = self.random.randrange(8)
        if way == 0:
            self.window = self.window[self.random.randrange(1, body) :]
        elif way == 1:
            summary = asks(f"summary {number}: all that was said before stands here in short, as far as it matters")
            self.window = [summary, *self.window[self.random.randrange(2, body + 1) :]]
        elif way == 2:
            for at in [at for at in range(body) if "tool_result" in json.dumps(self.window[at])][:2]:
                self.window[at] = gives(self.window[at]["content"][0]["tool_use_id"], "[cleared]")
        elif way == 3:
            at = self.random.choice([at for at in range(body) if self.window[at]["role"] == "user"] or [0])
            if isinstance(self.window[at]["content"], str):
                self.window[at] = asks(f"{self.window[at]['content']} v{number}")
        elif way == 4:
            self.window = list(self.full)

    def noise(self, number: int) -> None:
        """Add calls beside the conversation: a title, an error, a suggestion, a reply that was not used."""
        for other in (
            pair([asks(f"title {number}")], whole(says(f"T{number}"), 1), model="small", tools=[]),
            pair(list(self.window), None, error="overloaded"),
            pair([*self.window, asks(f"suggest {number}")], whole(says(f"s{number}"), 1)),
            pair(list(self.window), whole(says(f"unused {number}"), 1)),
        ):
            if self.random.random() < 0.15:
                self.pairs.append(other)

    def call(self, number: int) -> None:
        """Add the next call of the conversation."""
        reads = self.random.random() < 0.6
        reply = uses(f"c{number}", f"t{number}") if reads else says(f"a{number}")
        self.main.append(pair(list(self.window), whole(reply, 50 + number)))
        self.pairs.append(self.main[-1])
        more = [reply, gives(f"c{number}", f"out {number}") if reads else asks(f"u{number + 1}")]
        self.window = [*self.window, *more]
        self.full += more


@pytest.mark.parametrize("seed", SEEDS)
def test_every_request_comes_out_of_items_and_events(seed: int) -> None:
    made = Made(seed)
    for number in range(made.random.randrange(2, 14)):
        made.change(number)
        made.noise(number)
        made.call(number)
    transcript = lines(*made.pairs)
    assert list(windows(transcript)) == [truth(one["request"]) for one in made.main]
    assert transcript.log.main_calls == len(made.main)
    asked = sum(message["role"] == "user" for message in made.full[:-1])
    assert len(transcript.items) == 1 + asked + len(made.main)
