"""Which tool results left and what names them: small sessions worked out by hand (spec/7, address; spec/8)."""

from __future__ import annotations

from typing import Any

from tests.generated import loaded, settings
from tests.sessions import Ran, asks, calls, gives, policy, ran, round_of, session, sliding
from windowkeeper_cli.model.decision import Decision, Form
from windowkeeper_cli.replay.addresses import LOST, MENTIONED, RECALLABLE, Addresses
from windowkeeper_cli.replay.dropped import Dropped, dropped_of
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain
from windowkeeper_cli.tokens import counts


def rows_of(found: Ran) -> list[Dropped]:
    """Return the departures of a session that has run."""
    return dropped_of(found.session, found.steps)


def tokens_only(limit: int) -> dict[str, Any]:
    """Return a policy whose removals leave nothing behind that would name them."""
    return {"strategy": "sliding-tokens", "slidingTokens": {"maxTokens": limit}}


def test_a_turn_that_leaves_takes_its_result_along() -> None:
    # The result of round 1 stands at 2, comes with call 2, and leaves at call 4, when turn 1 of four is old enough.
    found = ran([asks("Check d1"), *round_of(1, 900), *round_of(2, 900), *round_of(3, 900)], sliding(2))
    size = found.session.counts.tokens[2]
    rule = "slidingWindow.keepRecentTurns"
    assert rows_of(found) == [
        Dropped(2, 2, 4, "trim", rule, Form.OUT, size, now_call=4, now_rule=rule, back=None, address=MENTIONED)
    ]


def test_leaving_is_named_by_the_first_move_and_the_form_by_the_last() -> None:
    # Limit 700, target 0, evicting from 1 turn on: at call 3 the result of round 1 becomes a stub; turns leave from
    # call 3 on where trimming is on, so a second policy trims only later, when the window is over the limit again.
    evicts = {"toolResults": {"evictAfterTurns": 0}}
    messages = [asks("a"), *round_of(1, 400), *round_of(2, 400), *round_of(3, 400)]
    found = ran(messages, policy(700, 650, trim={"enabled": True}, **evicts))
    first = rows_of(found)[0]
    lines = [line for line in found.lines if line.get("at") == 2]
    assert [line["action"] for line in lines] == ["evict", "trim"]
    assert (first.left, first.action, first.rule) == (lines[0]["call"], "evict", "toolResults.evictAfterTurns")
    assert (first.now_call, first.now_rule, first.form) == (lines[1]["call"], "trim.enabled", Form.OUT)
    assert first.address == RECALLABLE


READS_A_LOG = [asks("a"), calls(1, "read_log", path="logs/d1.log"), gives(1, "line " * 100)]


def test_what_came_back_has_its_call_and_no_address() -> None:
    # Limit 3,000: call 4 meets 3,346 tokens and trims the oldest rounds. The second request names the log, of under a
    # fifth of the limit, and call 5 brings it back.
    rest = [
        *round_of(2, 1400),
        *round_of(3, 1400),
        *round_of(4, 20),
        asks("Look at logs/d1.log again"),
        *round_of(5, 20),
    ]
    found = ran([*READS_A_LOG, *rest], policy(3000, 1800, trim={"enabled": True}))
    row = rows_of(found)[0]
    assert (row.at, row.left, row.back, row.form, row.address) == (2, 4, 5, Form.FULL, None)


def test_what_left_again_is_a_second_departure_and_both_say_how_it_stands_now() -> None:
    # After call 5 rounds 1 and 3 and the notice take about 2,100; round 6 brings call 7 over 3,000 again.
    rest = [
        *round_of(2, 1400),
        *round_of(3, 1400),
        *round_of(4, 20),
        asks("Look at logs/d1.log again"),
        *round_of(5, 20),
    ]
    more = [asks("and now?"), *round_of(6, 1400), *round_of(7, 1400), *round_of(8, 20)]
    found = ran([*READS_A_LOG, *rest, *more], policy(3000, 1800, trim={"enabled": True}))
    rows = [row for row in rows_of(found) if row.at == 2]
    assert [(row.left, row.back) for row in rows] == [(4, 5), (7, None)]
    assert [(row.form, row.address) for row in rows] == [(Form.OUT, RECALLABLE)] * 2


def test_a_result_may_leave_as_it_comes() -> None:
    found = ran([asks("a"), *round_of(1, 5000)], {"strategy": "handles"})
    row = rows_of(found)[0]
    assert (row.came, row.left, row.action, row.form, row.address) == (2, 2, "truncate", Form.TRUNCATED, RECALLABLE)


def test_a_cleared_result_is_mentioned_by_its_call() -> None:
    own = {"strategy": "clear-tool-results", "clearToolResults": {"trigger": 500, "keep": 1}}
    found = ran([asks("a"), *round_of(1, 400), *round_of(2, 400)], own)
    assert [(row.at, row.form, row.address) for row in rows_of(found)] == [(2, Form.CLEARED, MENTIONED)]


def read(number: int, path: str, size: int) -> list[dict[str, object]]:
    """Return a read of a file whose content does not name it."""
    return [calls(number, "read_file", path=path), gives(number, "x" * size)]


def test_what_nothing_names_is_lost() -> None:
    found = ran([asks("a"), *read(1, "src/a/one.py", 400), *read(2, "src/a/two.py", 400)], tokens_only(600))
    assert [(row.at, row.address) for row in rows_of(found)] == [(2, LOST)]


def test_a_path_that_the_window_still_names_is_mentioned() -> None:
    # Named by its last two segments in the request, and not inside a longer name.
    for text, address in (("mend a/one.py", MENTIONED), ("mend a/one.pyc", LOST), ("mend xa/one.py", LOST)):
        found = ran([asks(text), *read(1, "src/a/one.py", 400), *read(2, "src/a/two.py", 400)], tokens_only(600))
        assert [(row.at, row.address) for row in rows_of(found)] == [(2, address)], text


def test_a_path_in_the_arguments_of_a_call_is_a_mention() -> None:
    # Round 2 reads the same file again; its own call stays in the window.
    found = ran([asks("a"), *read(1, "src/a/one.py", 400), *read(2, "src/a/one.py", 401)], tokens_only(600))
    assert [(row.at, row.address) for row in rows_of(found)] == [(2, MENTIONED)]


def test_a_copy_in_full_is_a_mention() -> None:
    # Both results hold the same bytes, so they share one id; the second stands in full.
    same = [calls(1, "one"), gives(1, "x" * 400), calls(2, "two"), gives(2, "x" * 400)]
    found = ran([asks("a"), *same], tokens_only(600))
    ids = [found.session.transcript.items[at].id for at in (2, 4)]
    assert [row.at for row in rows_of(found)] == [2]
    assert (rows_of(found)[0].address == MENTIONED) is (ids[0] == ids[1])


def test_a_tool_named_inside_a_longer_word_is_no_mention() -> None:
    # The notice of the reference says `history`, `window`, `left`: a tool called `win` is not named by it.
    found = ran([asks("Check d1"), *round_of(1, 900, "wind"), *round_of(2, 900), *round_of(3, 900)], sliding(2))
    addresses = Addresses(found.session)
    assert addresses.of(2) == MENTIONED and addresses.is_lost(2) and not addresses.is_lost(4)
    assert "(wind)" in found.session.fold.inserted()[0].text
    assert "indo" not in addresses._words and "wind" in addresses._words


def test_departures_are_in_the_order_of_leaving() -> None:
    found = ran([asks("a"), *[part for n in range(1, 8) for part in round_of(n, 300)]], tokens_only(700))
    rows = rows_of(found)
    assert len(rows) > 3
    assert [(row.left, row.at) for row in rows] == sorted((row.left, row.at) for row in rows)


class Alone(Plain):
    """Takes out the first result by itself, and leaves its call where it is."""

    name = "alone"

    def plan(self, visit: Visit) -> Plan:
        if visit.call.number != 3:
            return None
        assert visit.gate.may_move(2) is None
        yield Decision("trim", self.name, 2, Form.OUT, 0, 0)
        return Facts(("log",))


def test_a_result_whose_own_call_stands_is_mentioned() -> None:
    transcript = loaded(session(asks("a"), *round_of(1, 400), *round_of(2, 400)))
    made = Session(transcript, counts(transcript, "chars:1"), settings({}), strategy=Alone())
    assert [(row.at, row.form, row.address) for row in dropped_of(made, made.steps())] == [(2, Form.OUT, MENTIONED)]
