"""Gaps of each kind, worked out by hand (spec/7). A window keeps three turns; one character is a token.

Item 0 is the request; call k's message is item 2k - 1 and its result item 2k, so that after a look in call 1 and the
three rounds of `pause` call 5 is sent with rounds 2 to 4 and the look has left at call 5 (the request is kept).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.generated import loaded
from tests.replay.gaps.working import FILL, did, gaps, numbered, of, pause, rows, said
from tests.sessions import asks, sliding
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.example import session
from windowkeeper_cli.replay.gaps.finding import usual_kinds
from windowkeeper_cli.replay.gaps.gap import Gap

PATH = "src/auth/redis.ts"
HASH = "deadbeef01"
TEXT = numbered(1, 30)


def read(number: int, result: str = TEXT, path: str = PATH, **more: object) -> list[dict[str, object]]:
    """Return a look at a file."""
    return did(number, "Read", result, file_path=path, **more)


def test_a_re_read_names_all_that_a_gap_has() -> None:
    (gap,) = gaps(read(1), pause(2), read(3))
    # Call 5 is sent with the request and four rounds: more than three turns, and the look is the oldest that may go.
    assert gap == Gap(5, "re-read", PATH, 10, 2, 5, "slidingWindow.keepRecentTurns", 0, "lost", True)


def test_while_the_first_look_stands_there_is_none() -> None:
    assert gaps(read(1), pause(2), read(3), how=sliding(9)) == []


def test_other_lines_of_the_file_are_no_re_read_and_the_same_lines_are() -> None:
    part = numbered(10, 29)
    assert rows(gaps(read(1), pause(2), read(3, part, offset=10, limit=20))) == [(5, "re-read", PATH, 2)]
    assert gaps(read(1), pause(2), read(3, part, offset=10, limit=20))[0].exact is False
    assert gaps(read(1, numbered(1, 9), limit=9), pause(2), read(3, part, offset=10, limit=20)) == []


def test_a_command_run_again_is_one_with_the_same_answer() -> None:
    run: Any = {"command": "make list", "description": "List"}
    again: Any = {"command": "make list", "description": "List once more"}
    (gap,) = gaps(did(1, "Bash", FILL, **run), pause(2), did(3, "Bash", FILL, **again))
    assert (gap.use, gap.exact) == ("make list", False)


def test_an_identifier_in_arguments_whose_source_left() -> None:
    found = gaps(
        did(1, "Bash", f"commit {HASH} {FILL}", command="git log"),
        pause(2),
        did(3, "Bash", "", command=f"git show {HASH}"),
    )
    assert rows(found) == [(5, "identifier", HASH, 2)]
    assert (found[0].used_by, found[0].exact, found[0].address) == (10, None, "lost")


def test_a_number_of_five_digits_is_an_identifier() -> None:
    for number, count in (("447123", 1), ("4471", 0)):
        found = gaps(did(1, "orders", f"order {number}: {FILL}"), pause(2), did(3, "Bash", "", command=f"pay {number}"))
        assert len(found) == count, number


def test_an_edit_needs_the_content_and_not_the_name() -> None:
    text = numbered(1, 9, f"call {HASH} of")
    edit = did(3, "Edit", "ok", file_path="lib/cache.py", old_string=f"call {HASH} of 3", new_string="x")
    assert rows(gaps(read(1, text, "lib/cache.py"), pause(2), edit)) == [(5, "identifier", "lib/cache.py", 2)]
    # The message that made the first look names the file in full view; what the edit quotes is in no result there.
    kept = gaps(read(1, text, "lib/cache.py"), pause(2), said("On to lib/cache.py"), edit)
    assert rows(kept) == [(6, "identifier", HASH, 2)]


def test_a_mention_in_a_new_request() -> None:
    found = gaps(read(1), pause(2), [asks(f"Change {PATH}")], said("ok"))
    assert rows(found) == [(5, "mention", PATH, 2)]
    assert found[0].used_by == 9


def test_a_request_is_mentioned_once_and_at_the_first_call_of_its_run() -> None:
    found = gaps(read(1), pause(2), [asks(f"Change {PATH}")], pause(3))
    assert [gap.call for gap in found] == [5]


def compacted(at: int, call: int, summary: str = "") -> Event:
    """Return the harness's compaction before the item at `at`."""
    return Event("compaction", at, call, "log:1", summary=(Text(summary),) if summary else ())


def recorded(messages: list[dict[str, object]], *events: Event, kinds: tuple[str, ...] | None = None) -> list[Gap]:
    """Return the gaps of a session whose harness compacted."""
    transcript = replace(loaded(session(*messages)), events=events)
    return of(transcript, {"strategy": "recorded"}, kinds)


def test_a_lost_request_is_one_gap_for_each_stretch() -> None:
    messages = [asks("Begin here"), *pause(1), *pause(2)]
    found = recorded(messages, compacted(3, 2), kinds=("request-lost",))
    assert [(gap.call, gap.use, gap.source, gap.used_by, gap.distance) for gap in found] == [
        (2, "Begin here", 0, None, 0)
    ]
    again = [*messages, asks("Then this"), *pause(3), *pause(4)]
    found = recorded(again, compacted(3, 2), compacted(16, 8), kinds=("request-lost",))
    assert [(gap.call, gap.use) for gap in found] == [(2, "Begin here"), (8, "Then this")]


def test_an_unsourced_name_is_looked_for_only_where_it_is_asked_for() -> None:
    assert "unsourced" not in usual_kinds()
    run = did(1, "Bash", "", command="git show 9f8e7d6c5b")
    assert gaps(run) == []
    (gap,) = gaps(run, kinds=("unsourced",))
    assert (gap.call, gap.use, gap.source, gap.left_call, gap.rule, gap.distance) == (
        1,
        "9f8e7d6c5b",
        None,
        None,
        None,
        None,
    )
    assert gap.address == "lost"
    assert gaps([asks("Show 9f8e7d6c5b")], run, kinds=("unsourced",)) == []


def test_addresses() -> None:
    messages = [asks("Begin"), *read(1), *pause(2), *read(3)]
    # Nothing names the file: lost. The summary names it: mentioned. A stub that names the id stands: recallable.
    for summary, address in (("All was done.", "lost"), ("Looked at redis.ts.", "mentioned")):
        (gap,) = recorded(messages, compacted(5, 3, summary))
        assert (gap.address, gap.left_call, gap.rule, gap.distance) == (address, 3, "recorded.compaction", 2)
    budget = {"budget": {"max": 700, "target": 100, "reserve": 0, "backoff": 0}, "protect": {"recentTurns": 1}}
    stubs = {**budget, "toolResults": {"keepLatestPerTool": 0, "evictAfterTurns": 1}, "trim": {"enabled": False}}
    (gap,) = gaps(read(1), pause(2), read(3), how=stubs)
    assert (gap.address, gap.rule) == ("recallable", "toolResults.evictAfterTurns")


def test_one_use_makes_one_gap_for_each_holding_item() -> None:
    text = f"{HASH} JIRA-1234 {FILL}"
    found = gaps(did(1, "Bash", text, command="log"), pause(2), did(3, "Bash", "", command=f"show {HASH} JIRA-1234"))
    assert rows(found) == [(5, "identifier", HASH, 2)]


def test_what_stands_in_the_kept_part_of_a_cut_result_is_no_gap_and_the_cut_middle_is() -> None:
    cap = {
        "budget": {"max": 1_500, "target": 900, "reserve": 0},
        "protect": {"recentTurns": 1, "latestUserTurns": 1},
        "toolResults": {"keepLatestPerTool": 0, "evictAfterTurns": 99, "maxTokensEach": 600},
        "trim": {"enabled": False},
    }
    big = f"{HASH}\n{FILL * 2}\nJIRA-1234\n{FILL * 2}\nend"
    for name, count in ((HASH, 0), ("JIRA-1234", 1)):
        found = gaps(did(1, "Bash", big, command="log"), pause(2), did(3, "Bash", "", command=f"show {name}"), how=cap)
        assert len(found) == count, name
        assert {gap.rule for gap in found} <= {"toolResults.maxTokensEach", "toolResults.truncateRecent"}


def test_a_re_read_of_what_the_cut_result_still_shows_is_no_gap() -> None:
    cap = {
        "budget": {"max": 1_500, "target": 900, "reserve": 0},
        "protect": {"recentTurns": 1, "latestUserTurns": 1},
        "toolResults": {"keepLatestPerTool": 0, "evictAfterTurns": 99, "maxTokensEach": 600},
        "trim": {"enabled": False},
    }
    whole = numbered(1, 80)
    for first, last, count in ((1, 8, 0), (40, 50, 1)):
        part = read(3, numbered(first, last), offset=first, limit=last - first + 1)
        assert len(gaps(read(1, whole), pause(2), part, how=cap)) == count, first
