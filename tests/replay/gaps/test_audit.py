"""Recorded summaries against their spans: sessions worked out by hand (spec/7, the audit of summaries)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.generated import loaded
from tests.sessions import asks, calls, gives, session
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.transcript import LogFacts, Transcript
from windowkeeper_cli.replay.gaps.audit import Audit, audits_of
from windowkeeper_cli.replay.gaps.span_orders import KEPT, LOST, REWORDED
from windowkeeper_cli.replay.gaps.spans import spans_of, unreadable
from windowkeeper_cli.tokens import counts

LOGS = Path(__file__).parents[4] / "shared/sessions/claude-code"
LOG = LOGS / "cc-2.1.29-205calls-dangling-parents-manual-compact.jsonl"
SPAN: list[Any] = [
    asks("Fix src/auth/login.py for user ghuser_42. Never push to main."),
    calls(1, "Read", file_path="/repo/src/auth/login.py"),
    gives(1, "from auth.session_store import open_session\nclass LoginForm: pass  # see tools/gen_keys.sh, AUTH_USER"),
]
"""Items 0 to 2; the request names login.py and ghuser_42, the call names login.py, the result three more."""


def compaction(at: int, call: int, summary: str, kept: tuple[int, ...] = ()) -> Event:
    """Return a compaction of everything before item `at`."""
    return Event("compaction", at, call, f"log:{at}", summary=(Text(summary),) if summary else (), kept=kept)


def transcript(messages: Iterable[Any], *events: Event, **facts: Any) -> Transcript:
    """Return a session with recorded events."""
    return replace(loaded(session(*messages)), events=events, log=LogFacts(**facts))


def audits(messages: Iterable[Any], *events: Event, **facts: Any) -> tuple[Audit, ...]:
    """Return the audits of a session's summaries, tokens counted as characters."""
    made = transcript(messages, *events, **facts)
    return audits_of(made, counts(made, "chars:1"))


def audit(summary: str, after: Iterable[Any] = (asks("Go on"),), span: Iterable[Any] = SPAN) -> Audit:
    """Return the audit of one summary of `span`."""
    before = list(span)
    return audits([*before, *after], compaction(len(before), 2, summary))[0]


def invented(summary: str, span: Iterable[Any] = SPAN) -> list[tuple[str, int]]:
    """Return what a summary invented, each with its line."""
    return [(one.name, one.line) for one in audit(summary, span=span).invented]


def test_a_summary_is_counted_against_its_span() -> None:
    found = audit("Fixed login.py.")
    assert (found.items, found.summary_tokens) == (3, 15)
    made = transcript([*SPAN, asks("Go on")])
    assert found.tokens == sum(counts(made, "chars:1").tokens[:3])
    # login.py, in two forms, and ghuser_42: what only the result gave and nobody used again is not counted.
    assert (found.identifiers, found.kept) == (2, 1)
    assert [(one.name, one.at, one.used) for one in found.lost] == [("ghuser_42", 0, None)]


@pytest.mark.parametrize(
    "says", ["/repo/src/auth/login.py", "src/auth/login.py:12", "./src/auth/login.py", "auth/login.py", "`login.py`"]
)
def test_a_path_survives_in_any_of_its_forms(says: str) -> None:
    assert audit(f"Fixed {says} for ghuser_42.").lost == ()


@pytest.mark.parametrize("says", ["src/auth/logins.py", "xlogin.py", "login.pyc", "ghuser_421"])
def test_a_longer_name_is_another(says: str) -> None:
    assert audit(f"Fixed {says}.").kept == 0


def test_what_was_used_afterwards_comes_first_and_results_count_then() -> None:
    # Call 2 asks again for the script that only the result had named, call 3 for the user.
    after = [
        asks("Go on"),
        calls(2, "Bash", command="sh tools/gen_keys.sh"),
        gives(2, "ok"),
        calls(3, "Bash", command="id ghuser_42"),
        gives(3, "ok"),
    ]
    found = audit("Fixed it.", after)
    assert [(one.name, one.at, one.used) for one in found.lost] == [
        ("tools/gen_keys.sh", 2, 2),
        ("ghuser_42", 0, 3),
        ("/repo/src/auth/login.py", 1, None),
    ]
    assert (found.identifiers, found.kept) == (3, 0)


@pytest.mark.parametrize(
    "text",
    [
        "read /repo/src/auth/login.py and src/auth/login.py:3, login.py",
        "`open_session()` and `open_session(path)` of `auth.session_store`",
        "`LoginForm.open_session` was called",
        "the loginform/session_store pair; pros/cons; read/write",
        "lines 967-1030, 12:40, L70/78/94, 0.15m, #2/#3",
        "`tools/*.sh` and `src/<name>.py` and `test_*`",
        "`AUTH_USER=ghuser_42`",
        "written with Three.js",
    ],
)
def test_what_the_span_has_in_another_form_is_not_invented(text: str) -> None:
    assert invented(text) == []


@pytest.mark.parametrize(
    ("summary", "names"),
    [
        ("Fixed.\nThen src/auth/logout.py too.", [("src/auth/logout.py", 2)]),
        ("Called `close_session()`.", [("close_session", 1)]),
        ("`close_session` and `LoginForm.close_session` twice: close_session", [("close_session", 1)]),
        ("see https://host.example/x/12 and 10.0.0.7:80", [("https://host.example/x/12", 1), ("10.0.0.7:80", 1)]),
        ("commit 1a2b3c4d5e", [("1a2b3c4d5e", 1)]),
        ("`API_BASE=http://10.0.0.9:81/x`", [("API_BASE", 1), ("http://10.0.0.9:81/x", 1)]),
    ],
)
def test_what_stands_nowhere_before_is_invented(summary: str, names: list[tuple[str, int]]) -> None:
    assert invented(summary) == names


def test_a_short_hash_of_a_known_one_is_not_invented() -> None:
    long = "369627091e7819f2ad11f898ed8c0463bc9b5370"
    assert invented("commit 3696270a", [asks(f"see {long}")]) == [] == invented("at 3696270", [asks(f"see {long}")])
    assert invented(f"commit {long}", [asks("see 3696270")]) == []
    assert invented("commit 369627f", [asks(f"see {long}")]) == [("369627f", 1)]


def test_thoughts_arguments_and_tool_names_are_known_too() -> None:
    thought = {"role": "assistant", "content": [{"type": "thinking", "thinking": "try alpha_one", "signature": "s"}]}
    span = [asks("Go"), calls(1, "mcp__beta_two", note="gamma_three"), gives(1, "x"), thought]
    assert invented("alpha_one beta_two mcp__beta_two gamma_three delta_four", span)[-1:] == [("delta_four", 1)]
    assert "gamma_three" not in [name for name, _ in invented("gamma_three mcp__beta_two", span)]


def test_the_folder_and_the_harness_s_own_lines_invent_nothing() -> None:
    summary = "Work in /home/me/app_dir.\nFor details read the full transcript at: /home/me/.logs/abc_1.jsonl"
    found = audits([*SPAN, asks("Go on")], compaction(3, 2, summary), cwd="/home/me/app_dir")
    assert found[0].invented == ()


def test_an_earlier_summary_is_part_of_the_next_span() -> None:
    messages = [*SPAN, asks("Go on"), calls(2), gives(2, "ok"), asks("And on")]
    first, second = audits(
        messages,
        compaction(3, 2, "Made other_file.py for ghuser_42."),
        compaction(6, 3, "other_file.py is done, third_file.py is not."),
    )
    assert [one.name for one in first.invented] == ["other_file.py"]
    assert [one.name for one in second.invented] == ["third_file.py"]
    # The second span names other_file.py and ghuser_42 by the first summary alone; login.py went with the first.
    assert (second.items, second.identifiers, second.kept) == (3, 2, 1)
    assert [(one.name, one.at) for one in second.lost] == [("ghuser_42", None)]


@pytest.mark.parametrize(
    ("summary", "state", "line"),
    [
        ('The user said:\n"never push to *main*"', KEPT, 2),
        ("Notes\nThe user does not want anyone to push straight to main; never.", REWORDED, 2),
        ("Fixed login.py.", LOST, None),
        ("Never say never.\nmain\npush", LOST, None),
    ],
)
def test_an_order_is_kept_reworded_or_lost(summary: str, state: str, line: int | None) -> None:
    found = audit(summary).orders
    assert [(one.order.at, one.order.text, one.state, one.line) for one in found] == [
        (0, "Never push to main.", state, line)
    ]


def test_what_stayed_had_left_or_is_the_envelope_is_not_in_the_span() -> None:
    system = {"role": "system", "content": "You audit."}
    messages = [system, *SPAN, asks("b"), calls(2), gives(2, "x"), asks("c"), calls(3), gives(3, "y"), asks("d")]
    events = (
        Event("microcompaction", 4, 2, "log:1", cleared=(3,)),
        compaction(5, 2, "one", kept=(4,)),
        Event("window", 7, 3, "log:2", left=(5,)),
        compaction(9, 4, "two"),
    )
    assert [span.items for span in spans_of(transcript(messages, *events))] == [(1, 2), (4, 6, 7, 8)]
    assert [span.end for span in spans_of(transcript(messages, *events))] == [9, 11]


def test_what_an_item_that_stayed_still_has_is_not_lost() -> None:
    # The request and what comes before it are compacted; item 3, which stayed, says both names and the order again.
    again = asks("For ghuser_42: go on. Never push to main! And login.py?")
    found = audits([*SPAN, again, calls(2), gives(2, "x"), asks("d")], compaction(6, 3, "So far.", kept=(3,)))[0]
    assert (found.lost, found.orders) == ((), ())
    assert found.kept == found.identifiers == 2


def test_a_summary_that_the_log_does_not_show_is_counted_apart() -> None:
    made = transcript([*SPAN, asks("Go on")], compaction(3, 2, ""))
    assert audits_of(made, counts(made, "chars:1")) == ()
    assert unreadable(made) == 1
    assert unreadable(transcript(SPAN, compaction(3, 2, "so"))) == 0


@pytest.mark.skipif(not LOG.exists(), reason="the shared logs are not here")
def test_a_real_log_s_summaries() -> None:
    # Read by hand: the first summary keeps the person's order and names a tool, TaskWrite, that does not exist; the
    # name of a compiler's rule in it came with a message that the log does not hold.
    found = load(str(LOG))
    first, second = audits_of(found, counts(found, "estimate"))
    assert [one.state for one in first.orders] == [KEPT]
    assert [one.name for one in first.invented] == ["TaskWrite", "UndeclaredName"]
    assert second.invented == ()
    assert 0 < second.kept < second.identifiers


@pytest.mark.parametrize("many", [200, 400])
def test_the_work_grows_with_the_log_alone(many: int) -> None:
    # Twenty summaries; every message is read for names a bounded number of times, whatever their number.
    read: list[int] = []
    rounds = [(calls(n, "Bash", command=f"cat src/mod_{n}.py"), gives(n, f"def func_{n}(): pass")) for n in range(many)]
    made = transcript(
        [asks("Go"), *(message for one in rounds for message in one)],
        *(compaction(2 * at, at + 1, f"src/mod_{at - 1}.py and made_up_{at}") for at in range(9, many, many // 20)),
    )

    class Counting:
        """Passes blocks on and notes which were asked for."""

        def blocks(self, at: int) -> Any:
            read.append(at)
            return made.source.blocks(at)

        def __getattr__(self, name: str) -> Any:
            return getattr(made.source, name)

    counting: Any = Counting()
    counted = replace(made, source=counting)
    found = audits_of(counted, counts(made, "chars:1"))
    assert all(len(one.invented) == 1 for one in found)
    assert len(read) <= 6 * len(made.items)
