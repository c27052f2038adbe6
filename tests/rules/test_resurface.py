"""Resurface: what the current request names stays or comes back; every case by hand from spec/4.

One character is a token. A source must hold 60 tokens where its own call names the identifier.
"""

from __future__ import annotations

import json

import pytest

from tests.sessions import Line, Ran, asks, calls, gives, policy, ran, round_of
from windowkeeper_cli.model.example import Message

PATH = "src/auth/redis.ts"


def reads(number: int, path: str, size: int, text: str = "x") -> list[Message]:
    """Return a read of a path and its result."""
    return [calls(number, "read_file", path=path), gives(number, (text * size)[:size])]


def resurfaced(found: Ran) -> list[tuple[int, str, int]]:
    """Return (call, action, position) of what resurface did."""
    return [
        (line["call"], line["action"], line["at"]) for line in found.lines if line["rule"] == "resurface.identifiers"
    ]


def asked(*before: Message, request: str = f"Fix {PATH}", after: tuple[Message, ...] = (), **sections: Line) -> Ran:
    """Return a session that looks around, then asks; 100,000 tokens are free."""
    return ran([asks("Look"), *before, asks(request), *after], policy(100_000, 0, **sections))


def test_what_is_in_full_is_kept_once_per_request_and_item() -> None:
    after = (*round_of(2, 5), *round_of(3, 5))
    found = asked(*reads(1, PATH, 60), after=(*after, asks(f"And test {PATH}"), *round_of(4, 5)))
    assert resurfaced(found) == [(2, "keep", 2), (4, "keep", 2)]
    assert found.lines[0]["detail"] == f'"{PATH}" in the current request; kept in full'
    assert (found.lines[0]["tokensBefore"], found.lines[0]["tokensAfter"]) == (60, 60)
    assert [visit["trigger"] for visit in found.visits] == ["resurface", "resurface"]
    assert [visit["new"] for visit in found.visits] == [0, 0]


def test_a_result_under_60_tokens_is_no_source_by_its_call() -> None:
    assert resurfaced(asked(*reads(1, PATH, 59))) == []


def test_a_small_result_that_mentions_the_name_is_one() -> None:
    assert resurfaced(asked(*reads(1, "other/file.py", 59, f"see {PATH}, "))) == [(2, "keep", 2)]


def test_what_the_call_names_wins_over_a_newer_mention_and_the_newest_of_both_kinds() -> None:
    first, second, mention = reads(1, PATH, 60), reads(2, PATH, 61), reads(3, "a/b.py", 90, f"{PATH} ")
    assert resurfaced(asked(*first, *second, *mention)) == [(4, "keep", 4)]
    assert resurfaced(asked(*mention, asks(f"about {PATH}", injected=True))) == [(2, "keep", 3)]


def test_only_what_stood_before_the_message_counts() -> None:
    assert resurfaced(asked(after=tuple(reads(1, PATH, 100)))) == []


def test_the_order_is_the_messages_and_the_number_is_maxItems() -> None:  # noqa: N802
    before = [*reads(1, "a/one.py", 60), *reads(2, "a/two.py", 60), *reads(3, "a/three.py", 60)]
    request = "Compare a/three.py, a/one.py and a/two.py"
    assert resurfaced(asked(*before, request=request)) == [(4, "keep", 6), (4, "keep", 2), (4, "keep", 4)]
    limited = asked(*before, request=request, resurface={"maxItems": 2})
    assert resurfaced(limited) == [(4, "keep", 6), (4, "keep", 2)]
    assert resurfaced(asked(*before, request=request, resurface={"maxItems": 0})) == []
    assert resurfaced(asked(*before, request=request, resurface={"identifiers": False})) == []


def test_one_source_of_two_names_counts_once() -> None:
    before = reads(1, PATH, 90, "see max_retry_count ")
    assert resurfaced(asked(*before, request=f"{PATH} and max_retry_count")) == [(2, "keep", 2)]


@pytest.mark.parametrize(("holders", "kept"), [(25, True), (26, False)])
def test_more_than_25_holders_are_not_selective(holders: int, kept: bool) -> None:
    # One result whose call names the path, the others mention it.
    mentions = [asks(f"{number}: {PATH}", injected=True) for number in range(holders - 1)]
    found = asked(*reads(1, PATH, 60), *mentions)
    assert resurfaced(found) == ([(2, "keep", 2)] if kept else [])


@pytest.mark.parametrize(("pad", "kept"), [(0, True), (1, False)])
def test_a_message_over_2000_characters_names_nothing(pad: int, kept: bool) -> None:
    request = f"Fix {PATH} ".ljust(2_000 + pad, "z")
    assert resurfaced(asked(*reads(1, PATH, 60), request=request)) == ([(2, "keep", 2)] if kept else [])


def test_the_envelope_is_no_source() -> None:
    found = ran([{"role": "system", "content": f"Mind {PATH}"}, asks("Look"), calls(1), gives(1), asks(f"Fix {PATH}")], policy(100_000))  # fmt: skip  # noqa: E501
    assert resurfaced(found) == []


ROUNDS = [part for number in range(2, 7) for part in round_of(number, 500)]


def under(size: int, limit: int, *after: Message) -> Ran:
    """Return a session whose first result (of `size`) was evicted before the request names it."""
    made = policy(limit, 0, toolResults={"evictAfterTurns": 0})
    return ran([asks("Look"), *reads(1, PATH, size), *ROUNDS, asks(f"Fix {PATH}"), *after], made)


@pytest.mark.parametrize(("size", "back"), [(500, True), (501, False)])
def test_nothing_over_a_fifth_of_the_limit_is_brought_back(size: int, back: bool) -> None:
    # The limit is 2,500, a fifth of it 500. Call 6: 4 + 27 + size + 4 x 515 > 2,500, so all but the newest leave.
    found = under(size, 2_500)
    assert (6, "evict", 2) in found.moves()
    assert resurfaced(found) == ([(7, "recall", 2)] if back else [])
    if back:
        line = found.lines[-1]
        assert line["action"] != "recall" or line["tokensAfter"] == size


def test_what_came_back_stays_while_the_request_is_current_and_then_until_a_replan() -> None:
    more = [part for number in range(7, 11) for part in round_of(number, 500)]
    rest = [part for number in range(11, 15) for part in round_of(number, 500)]
    found = under(500, 2_500, *more, asks("Thanks"), *round_of(20, 5), *rest)
    mine = [move for move in found.moves() if move[2] == 2]
    assert mine[:2] == [(6, "evict", 2), (7, "recall", 2)]
    assert len(mine) == 3
    assert mine[2][1] == "evict"
    # Refused at each re-plan while its request was the current one, evicted at the first one after it.
    refused = [v["call"] for v in found.visits for r in v["refusals"] if (r["reason"], r["at"]) == ("resurfaced", 2)]
    assert refused
    assert all(7 <= call < mine[2][0] for call in refused)
    first_call_after_thanks = 11
    assert mine[2][0] >= first_call_after_thanks
    assert found.session.fold.form(2).name == "STUB"


def test_a_trimmed_turn_comes_back_with_its_message_and_its_siblings_as_stubs() -> None:
    batch = {
        "role": "assistant",
        "content": "Reading both.",
        "toolCalls": [
            {"id": "c1", "name": "read_file", "args": {"path": PATH}},
            {"id": "c99", "name": "read_file", "args": {"path": "lib/other.py"}},
            {"id": "c98", "name": "read_file", "args": {"path": "lib/small.py"}},
        ],
    }
    results = [gives(1, "x" * 400), gives(99, "y" * 400), gives(98, "z" * 10)]
    messages = [asks("Look"), batch, *results, *ROUNDS, asks(f"Fix {PATH}")]
    found = ran(messages, policy(2_500, 2_000, trim={"enabled": True}))
    assert {at for call, action, at in found.moves() if call < 7 and action == "trim"} >= {1, 2, 3, 4}
    # The small sibling has 10 tokens, less than any stub, so it comes back as it was.
    assert resurfaced(found) == [(7, "recall", 1), (7, "recall", 2), (7, "evict", 3), (7, "recall", 4)]
    back = [line for line in found.lines if line["call"] == 7]
    stub = next(line for line in back if line["action"] == "evict")
    assert (stub["tokensBefore"], stub["rule"]) == (0, "resurface.identifiers")
    assert f'recall("{stub["item"]}")' in stub["text"]


def test_the_notice_leaves_when_nothing_is_missing_any_more() -> None:
    # Call 3: 4 + 327 + 1,315 > 1,500, and turn 1 is all that may leave. Call 4: it comes back, and the large result
    # of turn 2 expires at once, being 2 turns old.
    large = [calls(2), gives(2, "y" * 1_300, ttlTurns=1)]
    messages = [asks("Look"), *reads(1, PATH, 300), *large, *round_of(3, 10), asks(f"Fix {PATH}")]
    found = ran(messages, policy(1_500, 1_490, trim={"enabled": True}, expire={"now": True}))
    assert found.moves() == [
        (3, "trim", 1), (3, "trim", 2), (3, "insert", 2),
        (4, "recall", 1), (4, "recall", 2), (4, "expire", 4), (4, "retract", 2),
    ]  # fmt: skip
    assert found.lines[-1]["tokensAfter"] == 0
    assert found.session.fold.inserted() == []


def named_in_args(args: str, request: str) -> Ran:
    """Return a session whose call has exactly that argument text."""
    call: Message = {"role": "assistant", "toolCalls": [{"id": "c1", "name": "read_file", "args": args}]}
    return asked(call, gives(1, "x" * 100), request=f"Fix {request}")


def test_an_argument_text_is_decoded() -> None:
    assert resurfaced(named_in_args(json.dumps({"q": f'a\n{PATH}\t"b"'}), PATH)) == [(2, "keep", 2)]


@pytest.mark.parametrize(
    ("args", "request_"),
    [
        (json.dumps({"path": r"src\new\table.txt"}), r"src\new\table.txt"),
        ('{"path": "src/caf\\u00e9/menu.txt"}', "src/café/menu.txt"),
        ('{"path": "src\\/auth\\/redis.ts"}', PATH),
    ],
    ids=["backslash-n", "u00e9", "escaped-slash"],
)
def test_an_argument_text_is_decoded_as_json(args: str, request_: str) -> None:
    assert resurfaced(named_in_args(args, request_)) == [(2, "keep", 2)]


def test_a_quoted_name_of_separators_alone_is_found() -> None:
    found = asked(*reads(1, "x/y.py", 90, "a ___ b "), request="what is `___`")
    assert resurfaced(found) == [(2, "keep", 2)]
