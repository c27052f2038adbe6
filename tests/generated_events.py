"""Recorded events drawn over the sessions of `tests/generated.py`: compactions, cleared results, true requests."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tests import generated
from tests.generated import Case
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.settings import Settings

SUMMARIES = ((), (Text("So far."),), (Text("So far."), Text("And more.")), (Text(""),), (Text("x" * 300),))
KINDS = ("compaction", "compaction", "microcompaction", "window", "window", "clear")


def by_seed(seed: int) -> Case:
    """Return the case of a seed: the same on every machine."""
    return case_of(random.Random(f"windowkeeper events {seed}"))


def cases() -> st.SearchStrategy[Case]:
    """Return hypothesis's way to draw a case."""
    return st.builds(case_of, st.randoms(use_true_random=False))


def case_of(r: random.Random) -> Case:
    """Return a drawn session with events before some of its calls, several before one at times."""
    case = generated.case_of(r)
    calls, items = case.transcript.all_calls(), case.transcript.items
    chance = r.choice((0.1, 0.3, 0.8))
    events: list[Event] = []
    for before, call in zip((None, *calls), calls, strict=False):
        while call.at and r.random() < chance:
            events.append(event(before, call, items, r))
            chance *= 0.9
    transcript = replace(case.transcript, events=tuple(events))
    return case._replace(policy={"strategy": "recorded"}, transcript=transcript, settings=Settings("recorded"))


def event(before: Call | None, call: Call, items: tuple[Item, ...], r: random.Random) -> Event:
    """Return one event between two calls."""
    kind, held = r.choice(KINDS), range(call.at)
    at = r.randint(0 if before is None else min(before.at + 1, call.at), call.at)
    made = Event(kind, at, call.number, f"log:{r.randint(1, 99)}")
    if kind == "compaction":
        own: dict[str, Any] = {"summary": r.choice(SUMMARIES), "kept": some(held[: made.at], r, 0.3)}
        own |= {"summary_id": r.choice((None, "00ff00ff00ff")), "pre_tokens": r.choice((None, 0, 155_000))}
        return replace(made, trigger=r.choice((None, "auto", "manual")), **own)
    if kind == "window":
        left = some(held, r, 0.4)
        return replace(made, left=left, back=some([at for at in held if at not in left], r, 0.5))
    if kind == "microcompaction":
        return replace(made, cleared=some([at for at in held if items[at].is_result], r, 0.5))
    cleared = some(held, r, 0.3)
    return replace(made, cleared=cleared, shown=tuple(r.choice(SUMMARIES) for _ in cleared))


def some(places: Any, r: random.Random, most: float) -> tuple[int, ...]:
    """Return some of the places, in order, often none."""
    chance = r.choice((0, most, most))
    return tuple(at for at in places if r.random() < chance)
