"""Damaged inputs of every format, drawn by a seed: bytes changed, cut, doubled and moved, and values of other kinds.

A value of another kind is put where a format's own value stood: it is the damage that bytes seldom hit, and the one
that finds code which takes a kind for granted.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.formats import fuzz_logs, fuzz_own, fuzz_seeds, fuzz_traces
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.model.transcript import Transcript

TOKENS = [
    b"null", b"true", b"[]", b"{}", b'""', b"1e999", b"12345678901234567890123", b'"\\ud800"', b"\xff", b"\0", b"NaN",
    b'{"a":' * 40, b"[" * 600, b'"type":"assistant"', b'"tool_use"', b'"tool_result"', b"\n", b"\r\n", b"\xef\xbb\xbf",
    b'"parentUuid":"x",', b'"content":[[["a"]]]', b'"id":{}', b'"type":{}', b'"usage":[]', b'"message":3',
    b"isCompactSummary", b"compact_boundary", b"microcompact_boundary", b'"role":[1]', b"agent_progress",
]  # fmt: skip
_KINDS: tuple[Any, ...] = (
    None, True, False, 0, -1, 3, 1.5, -2.5e300, 2**63, 10**30, "", "x", "user", "assistant", "tool", "text", "m1", "c1",
    "2026-01-01T00:00:00Z", "9" * 30, "\ud800", [], {}, [1], ["x"], [[]], [{}], [None], {"a": 1}, {"type": {}},
    {"type": []}, {"type": "text"}, {"type": "text", "text": []}, {"role": "user", "content": "x"}, {"id": []},
    [{"type": "text", "text": "x"}], [{"type": "tool_use"}],
)  # fmt: skip
KINDS = tuple(json.dumps(value) for value in _KINDS)
BYTES, VALUES = "bytes", "values"


@cache
def seeds() -> tuple[bytes, ...]:
    """Return inputs of every shape of every format."""
    return tuple(one for module in (fuzz_own, fuzz_seeds, fuzz_logs, fuzz_traces) for one in module.seeds())


@cache
def parsed() -> tuple[tuple[Any, ...], ...]:
    """Return the seeds that are JSON as values: one for a document, one a line."""
    found = []
    for seed in seeds():
        try:
            found.append((json.loads(seed),))
        except ValueError:
            if not seed.startswith(b"PK"):
                found.append(tuple(json.loads(line) for line in seed.splitlines() if line))
    return tuple(found)


def mutated(r: random.Random) -> bytes:
    """Return a damaged input."""
    return _bytes(r) if r.random() < 0.5 else _values(r)


def _bytes(r: random.Random) -> bytes:
    data = bytearray(r.choice(seeds()))
    for _ in range(r.choice((1, 1, 2, 3, 8))):
        if not data:
            break
        at = r.randrange(len(data))
        kind = r.randrange(6)
        if kind == 0:
            data[at] = r.randrange(256)
        elif kind == 1:
            del data[at : at + r.choice((1, 5, 50, 500))]
        elif kind == 2:
            data[at:at] = r.choice(TOKENS)
        elif kind == 3:
            other = r.randrange(len(data))
            data[at:at] = data[other : other + r.choice((10, 200))]
        elif kind == 4:
            start = data.find(b":", at)
            ends = [end for end in (data.find(b",", start), data.find(b"}", start)) if end > 0]
            if start >= 0 and ends:
                data[start + 1 : min(ends)] = r.choice(TOKENS)
        else:
            lines = bytes(data).split(b"\n")
            r.shuffle(lines)
            data = bytearray(b"\n".join(lines))
    return bytes(data)


def _values(r: random.Random) -> bytes:
    """Return an input with some of its values exchanged for one of another kind, another's, or none."""
    lines = [json.loads(json.dumps(line)) for line in r.choice(parsed())]
    for _ in range(r.choice((1, 1, 1, 2, 3))):
        places = _places(lines)
        if not places:
            break
        holder, key = r.choice(places)
        fate = r.random()
        if fate < 0.7:
            holder[key] = json.loads(r.choice(KINDS))
        elif fate < 0.85:
            other, name = r.choice(places)
            holder[key] = json.loads(json.dumps(other[name]))
        else:
            del holder[key]
    return b"\n".join(json.dumps(line).encode() for line in lines)


def at_every_place(kinds: tuple[str, ...]) -> Iterator[bytes]:
    """Yield every input that is JSON with one value of each of `kinds` at each of its places, one at a time."""
    for lines in parsed():
        for place, _ in enumerate(_places(list(lines))):
            for kind in kinds:
                made = json.loads(json.dumps(lines))
                holder, key = _places(made)[place]
                holder[key] = json.loads(kind)
                yield b"\n".join(json.dumps(line).encode() for line in made)


def _places(lines: list[Any]) -> list[tuple[Any, Any]]:
    return [(holder, key) for holder in _holders(lines) for key in _keys(holder)]


def _holders(value: Any) -> list[Any]:
    found, waiting = [], [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            found.append(one)
            waiting += one.values() if isinstance(one, dict) else one
    return found


def _keys(holder: Any) -> list[Any]:
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))


def options(r: random.Random, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the options that an input is loaded with, mostly none; a foreign format named is a refusal, mostly."""
    made: dict[str, Any] = {"from_": r.choice(names) if r.random() < 0.2 else None}
    if r.random() < 0.2:
        made["strict"] = True
    if r.random() < 0.1:
        made["agent"] = "ag"
    return made


def loaded(data: bytes, **more: Any) -> Transcript | None:
    """Load an input that may be damaged; return a transcript that gives every item, or None for an error of ours."""
    try:
        transcript = loads(data, "f", **more)
    except WindowkeeperError as error:
        assert "\n" not in str(error)
        return None
    for item in transcript.items:
        assert transcript.source.raw(item.at) and isinstance(transcript.blocks(item.at), tuple)
    return transcript
