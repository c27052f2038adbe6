"""Mutated bytes of policy files raise a PolicyError or load; nothing else, and always end."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.policy.known import READS, STRATEGIES, load
from tests.policy.test_problems import BAD, ONE, TOML
from tests.policy.written import json_paper, toml_paper
from windowkeeper_cli.model.errors import PolicyError
from windowkeeper_cli.policy import pyproject_policy
from windowkeeper_cli.policy.start import starting_file

START = starting_file(READS["windowkeeper"])
SEEDS = [
    *(data.encode() for data in (BAD, *ONE) if len(data) < 2_000),
    *(data.encode() for data in (START, *TOML) if len(data) < 10_000),
    b"[tool.windowkeeper]\n" + START.replace("[", "[tool.windowkeeper.", 1).encode(),
]
NOISE = [
    b"",
    b"{",
    b"}",
    b"[",
    b"]]",
    b'"',
    b"'''",
    b'"""',
    b"\\u",
    b"\\",
    b"\xff",
    b"\xed\xa0\x80",
    b"\x00",
    b"\n",
    b"\r",
]
NOISE += [
    b"1e400",
    b"-",
    b"9" * 40,
    b"nan",
    b"=",
    b".",
    b",",
    b":",
    b"#",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xae",
    b"null",
    b"(",
    b"*",
]


def mutated(seed: int) -> bytes:
    """Return a policy file with a few damages."""
    random = Random(seed)
    data = bytearray(random.choice(SEEDS))
    if random.random() < 0.2:
        data = bytearray(random.choice((json_paper, toml_paper))(seed).text.encode())
    for _ in range(random.randint(1, 6)):
        at = random.randint(0, len(data))
        end = at + random.choice((0, 0, 1, 2, 20))
        data[at:end] = random.choice(
            (random.choice(NOISE), bytes([random.randrange(256)]), data[: random.randint(0, 30)])
        )
    return bytes(data)


def only_policy_errors(data: bytes) -> None:
    """Load `data` as everything that it may be."""
    for name in ("p.json", "p.toml", "pyproject.toml"):
        try:
            load(data, name)
        except PolicyError as error:
            assert error.problems
            for problem in error.problems:
                assert problem.isprintable() or "\x1b" not in problem
                assert "\n" not in problem and "\x1b" not in problem and "\u202e" not in problem
                assert problem.encode()
    with suppress(PolicyError):
        pyproject_policy(data, "pyproject.toml", strategies=STRATEGIES)


@given(some.integers(0, 2**62))
@settings(max_examples=1_500, deadline=None)
def test_mutated_policy_files(seed: int) -> None:
    only_policy_errors(mutated(seed))


@given(some.binary(max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_bytes(data: bytes) -> None:
    only_policy_errors(data)


@given(
    some.lists(some.text(max_size=20), max_size=3),
    some.sampled_from(["", "budget.", "protect.tags=", "strategy=", "expire.tools"]),
)
@settings(max_examples=300, deadline=None)
def test_any_sets(words: list[str], prefix: str) -> None:
    try:
        load("{}", "p.json", *(prefix + word for word in words))
    except PolicyError as error:
        assert all("\n" not in problem for problem in error.problems)


JSON_UNITS = ("[", '{"a":', '"a":1,', " ", '"\\u0041', "9", '"a', "-", "null,")
TOML_UNITS = ("[", "a.", "[a.b]\n", "[[a]]\n", "# x\n", " ", '"""', "'", "a='''", "{a=", '"\\"', "a=[1,", "a=1\n", "9")
UNITS = [(unit, "p.json") for unit in JSON_UNITS] + [(unit, "p.toml") for unit in (*TOML_UNITS, "[[a.b]]\n[a.b.c]\n")]


@pytest.mark.parametrize(("unit", "name"), UNITS)
def test_a_large_file_ends(unit: str, name: str) -> None:
    """Each ends in seconds; a reader whose work grows as the square would take hours, and hang the suite."""
    data = (unit * 300_000)[:300_000]
    for content in (data, "{" + data, "x = [" + data, '{"x":"' + data):
        with suppress(PolicyError):
            load(content, name)
