"""The battery finds what each faulty strategy breaks and nothing else, and makes the transcript small that shows it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.replay.battery import faulty
from tests.replay.battery.faulty import FAULTY, Faulty, Sound
from windowkeeper_cli.cli.policies import DEFAULT, strategies
from windowkeeper_cli.policy import built_in, load_policy
from windowkeeper_cli.replay.battery.awkward import session
from windowkeeper_cli.replay.battery.battery import Asked, Battery, battery, drawn
from windowkeeper_cli.replay.battery.draw import Seeded
from windowkeeper_cli.replay.battery.smallest import smallest
from windowkeeper_cli.replay.battery.trial import Choose, Chosen, Trial, run
from windowkeeper_cli.replay.invariants import INVARIANTS
from windowkeeper_cli.strategies import STRATEGIES

TIMES = 25


def own(kind: type[Faulty]) -> Choose:
    def choose(words: tuple[str, ...]) -> Chosen:
        settings = load_policy(None, DEFAULT, strategies=strategies(), overrides=words).settings
        return replace(settings, strategy=kind.name), kind

    return choose


def registered(name: str) -> Choose:
    return lambda words: (built_in(name, strategies=strategies(), overrides=words).settings, None)


def ran(name: str, times: int, seed: int = 0) -> Battery:
    reads = tuple(STRATEGIES.module(name).READS)
    choose = registered(name)
    asked = Asked(seed, times, reads)
    strategy = STRATEGIES.module(name).make(choose(drawn(asked, 0).sets)[0])
    return battery(asked, choose, strategy.known_faults)


@pytest.mark.parametrize("kind", FAULTY, ids=lambda kind: kind.__name__)
def test_a_faulty_strategy_breaks_what_it_was_made_to_break_and_nothing_else(kind: type[Faulty]) -> None:
    found = battery(Asked(0, TIMES, counter=kind.counter), own(kind)).found
    assert {one.broken.name for one in found} == {kind.breaks}
    for one in found:
        shown = run(one.smallest, own(kind))
        assert shown is not None and one.broken in shown.broken
        assert len(one.smallest.document["messages"]) <= 3 and len(json.dumps(one.smallest.document)) < 400


def test_every_invariant_has_a_strategy_that_breaks_it() -> None:
    assert {kind.breaks for kind in FAULTY} >= set(INVARIANTS.names)


def test_a_sound_strategy_breaks_nothing_and_moves_much() -> None:
    found = battery(Asked(0, TIMES), own(Sound))
    assert found.found == () and found.changed > 100


@pytest.mark.parametrize("name", STRATEGIES.names)
def test_a_strategy_of_ours_breaks_nothing_but_what_its_definition_is_known_for(name: str) -> None:
    found = ran(name, 40)
    assert [one.broken for one in found.found if not one.known] == []
    assert found.visits > 400
    assert (found.changed > 20) is (name not in ("none", "recorded"))


def test_what_is_raised_is_named_with_its_line() -> None:
    raises = next(kind for kind in FAULTY if kind.__name__ == "Raises")
    (one,) = battery(Asked(0, 5), own(raises)).found
    lines = Path(faulty.__file__).read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "dict[str, int]()[" in line)
    assert one.broken.text.startswith(f"faulty.py:{number} raised KeyError: ")


def test_loops_end_by_count_at_the_same_place_every_time() -> None:
    loops = next(kind for kind in FAULTY if kind.__name__ == "Loops")
    texts = {battery(Asked(0, 2), own(loops)).found[0].broken.text for _ in range(3)}
    assert len(texts) == 1 and "101,000 lines in one visit" in texts.pop()


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    asked = Asked(7, 1, ("budget", "toolResults"))
    assert [drawn(asked, number) for number in range(20)] == [drawn(asked, number) for number in range(20)]
    assert drawn(asked, 0) != drawn(asked, 1) != drawn(asked._replace(seed=8), 1)
    # The numbers of splitmix64 from 0, as its authors' reference gives them.
    draw = Seeded(0, 0)
    assert [int(draw.random() * 2**53) for _ in range(2)] == [0xE220A8397B1DCDAF >> 11, 0x6E789E6AA1B965F4 >> 11]


def test_given_keys_are_left_as_they_are() -> None:
    words = drawn(Asked(0, 1, ("budget", "expire"), ("budget.max", "expire.tools.bash")), 3).sets
    keys = {word.partition("=")[0] for word in words}
    assert "budget.max" not in keys and {"budget.reserve", "expire.tags", "expire.now"} <= keys
    assert {key.partition(".")[0] for key in keys} == {"budget", "expire"}


def test_both_kinds_of_chance_draw_sessions_with_every_role() -> None:
    for draw in (random.Random("any"), Seeded(1)):
        roles = {message["role"] for _ in range(20) for message in session(draw)["messages"]}
        assert roles == {"system", "user", "assistant", "tool"}


def test_the_smallest_is_a_fixed_point_of_its_own_making() -> None:
    """Shows: two messages of the person, of which one says `deploy`, and a limit of 10 or more."""

    def shows(trial: Trial) -> bool:
        texts = [one["content"] for one in trial.document["messages"] if one["role"] == "user"]
        limits = [int(word.partition("=")[2]) for word in trial.sets if word.startswith("budget.max=")]
        return len(texts) >= 2 and any("deploy" in str(text) for text in texts) and min(limits, default=0) >= 10

    messages = [
        {"role": "user", "content": f"text {n}", "time": "2026-01-01T00:00:00Z", "tags": ["a"]} for n in range(30)
    ]
    messages[17]["content"] = "please deploy it now"
    document = {"format": "windowkeeper/1", "messages": messages, "request": "x"}
    made = smallest(Trial(document, ("budget.max=100", "budget.reserve=0"), "chars:1"), shows)
    assert made.sets == ("budget.max=12",)
    assert made.document["messages"][:1] == [{"role": "user", "content": ""}] or made.document["messages"][1:] == [
        {"role": "user", "content": ""}
    ]
    assert len(made.document["messages"]) == 2 and "request" not in made.document
    assert any("deploy" in one["content"] and "time" not in one for one in made.document["messages"])
