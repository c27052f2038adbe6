"""What is no gap: each rule of spec/7 with a session that misses by that rule alone, and beside it one that does not.

Sessions and windows are those of test_kinds; every pair differs in the one thing that the rule speaks of.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.generated import loaded
from tests.replay.gaps.test_kinds import HASH, PATH, TEXT, read
from tests.replay.gaps.working import FILL, did, gaps, numbered, of, pause, rows, said
from tests.sessions import asks
from windowkeeper_cli.model.example import Message, session

SOURCE = did(1, "Bash", f"{HASH} {FILL}", command="git log")


def uses(**args: object) -> list[dict[str, object]]:
    """Return a call that uses something after the pause."""
    return did(3, "Bash", "", **args)


def test_a_resource_that_the_call_writes_whole() -> None:
    assert gaps(read(1), pause(2), did(3, "Write", "ok", file_path=PATH, content="new")) == []
    assert len(gaps(read(1), pause(2), did(3, "Edit", "ok", file_path=PATH, old_string="a", new_string="b"))) == 1


def test_a_first_look() -> None:
    listing = did(1, "Glob", f"{PATH}\n{FILL}", pattern="**/*.ts")
    assert gaps(listing, pause(2), read(3)) == []
    assert len(gaps(read(1), pause(2), read(3))) == 1


def test_a_search_with_a_new_pattern() -> None:
    first = did(1, "Grep", f"{HASH} {FILL}", pattern="first_word", path="src")
    assert gaps(first, pause(2), did(3, "Grep", FILL, pattern=HASH, path="src")) == []
    assert len(gaps(first, pause(2), did(3, "Grep", f"{HASH} {FILL}", pattern="first_word", path="src"))) == 1


def test_a_result_that_differs() -> None:
    assert gaps(read(1), pause(2), read(3, TEXT.replace("file 7", "file seven"))) == []
    assert gaps(read(1), pause(2), read(3, numbered(5, 25, "another line"), offset=5, limit=21)) == []


def test_what_a_harness_adds_to_a_result_is_no_difference() -> None:
    again = read(3, f"{TEXT}\n\n<system-reminder>\nMind the rules.\n</system-reminder>")
    assert len(gaps(read(1), pause(2), again)) == 1


@pytest.mark.parametrize(("size", "count"), [(99, 0), (100, 1)])
def test_a_result_under_a_hundred_tokens(size: int, count: int) -> None:
    text = ("abc " * 30)[: size - 1] + "."
    assert len(gaps(read(1, text), pause(2), read(3, text))) == count


def test_a_command_run_again_after_an_edit() -> None:
    run, again = did(1, "Bash", FILL, command="make test"), did(3, "Bash", FILL, command="make test")
    edit = did(4, "Edit", "ok", file_path="a/b.py", old_string="x", new_string="y")
    assert len(gaps(run, pause(2), again)) == 1
    assert gaps(run, edit, pause(2), again) == []
    assert len(gaps(edit, run, pause(2), again)) == 1


def test_a_name_that_the_model_wrote_first() -> None:
    assert len(gaps(SOURCE, pause(2), uses(command=f"git show {HASH}"))) == 1
    assert gaps(said(f"I make {HASH}"), SOURCE, pause(2), uses(command=f"git show {HASH}")) == []
    made = did(1, "Bash", f"made {HASH} {FILL}", command=f"make {HASH}")
    assert gaps(made, pause(2), uses(command=f"git show {HASH}")) == []


@pytest.mark.parametrize("name", ["tsconfig.json", "console.log", "localhost:3000", "http://localhost:5173/app"])
def test_a_well_known_name(name: str) -> None:
    assert gaps(did(1, "Bash", f"{name} {FILL}", command="ls"), pause(2), uses(command=f"cat {name}")) == []


def test_a_word_without_digit_separator_or_inner_capital() -> None:
    found = did(1, "Bash", f"`internationalization` {FILL}", command="ls")
    assert gaps(found, pause(2), uses(command="make 'internationalization'")) == []
    found = did(1, "Bash", f"`internationalTable` {FILL}", command="ls")
    assert len(gaps(found, pause(2), uses(command="make 'internationalTable'"))) == 1


NAMES = [("utf8", 0), ("0.65", 0), ("*.stage.yaml", 0), (".stage.yaml", 0), ("a.stage.yaml", 1)]


@pytest.mark.parametrize(("name", "count"), NAMES)
def test_a_word_with_a_few_digits_a_pattern_and_the_end_of_a_name(name: str, count: int) -> None:
    source = did(1, "Bash", f"'{name}' {FILL}", command="ls")
    assert len(gaps(source, pause(2), uses(command=f"make '{name}'"))) == count


@pytest.mark.parametrize(
    "command",
    ["grep deadbeef01 log", "rg -n 'a|deadbeef01' src", 'grep -rn -A 3 "deadbeef01" .', "find . -name 'deadbeef01'"],
)
def test_a_command_that_searches_for_a_new_pattern(command: str) -> None:
    assert gaps(SOURCE, pause(2), uses(command=command)) == []
    assert len(gaps(SOURCE, pause(2), uses(command=f"{command}; git show deadbeef01"))) == 1


@pytest.mark.parametrize(
    ("args", "count"),
    [
        ({"command": "run", "timeout": 123_456}, 0),
        ({"command": "run", "max_output": 123_456}, 0),
        ({"command": "wait --timeout 123456"}, 0),
        ({"command": "tail -n 123456 log"}, 0),
        ({"command": "head -c123456 log"}, 0),
        ({"command": "show", "order": 123_456}, 1),
        ({"command": "show 123456"}, 1),
    ],
)
def test_numeric_options(args: dict[str, object], count: int) -> None:
    source = did(1, "Bash", f"order 123456 {FILL}", command="orders")
    assert len(gaps(source, pause(2), uses(**args))) == count


def test_a_round_number() -> None:
    source = did(1, "Bash", f"limits 120000 and 447123 {FILL}", command="orders")
    assert gaps(source, pause(2), uses(command="set 120000")) == []
    assert len(gaps(source, pause(2), uses(command="set 447123"))) == 1


@pytest.mark.parametrize("field", ["content", "new_string", "prompt", "description", "code"])
def test_names_inside_composed_fields(field: str) -> None:
    source = did(1, "Bash", f"{HASH} a/b.py deep/down/here.py {FILL}", command="git log")
    assert gaps(source, pause(2), did(3, "note", "", **{field: f"see {HASH} and a/b.py"})) == []
    assert rows(gaps(source, pause(2), did(3, "note", "", **{field: "see deep/down/here.py"}))) == [
        (5, "identifier", "deep/down/here.py", 2)
    ]


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'fix deadbeef01'",
        'gh pr comment 7 --body "see deadbeef01"',
        "echo 'about deadbeef01'",
        "cat > a <<'EOF'\nabout deadbeef01\nEOF",
        "# about deadbeef01\nls",
        "python3 -c 'print(deadbeef01)'",
        'git commit -m "$(cat <<\'EOF\'\nsay "deadbeef01" here\nEOF\n)"',
    ],
)
def test_composed_parts_of_a_command(command: str) -> None:
    assert gaps(SOURCE, pause(2), uses(command=command)) == []
    assert len(gaps(SOURCE, pause(2), uses(command=f"{command}\ngit show deadbeef01"))) == 1


def test_a_file_that_a_list_of_files_writes_whole() -> None:
    files = [{"path": PATH, "content": "new"}]
    assert gaps(read(1), pause(2), did(3, "push_files", "", files=files)) == []
    source = did(1, "Bash", f"{PATH} {FILL}", command="ls")
    assert len(gaps(source, pause(2), did(3, "push_files", "", files=[{"path": PATH}]))) == 1


def test_text_that_the_model_wrote_itself_and_quotes_again() -> None:
    shown_, made = f"uses {HASH} {FILL}", "the_long_name_of_ours"
    first = did(1, "Bash", shown_, command="cat a.py")
    wrote = did(4, "Edit", "ok", file_path="b.py", old_string="x", new_string=made)
    quote = did(3, "Edit", "ok", file_path="b.py", old_string=f"{made} {HASH}", new_string="y")
    assert len(gaps(first, pause(2), quote)) == 0
    assert gaps(first, wrote, pause(2), quote) == []
    assert rows(gaps(first, pause(2), did(3, "Edit", "ok", file_path="b.py", old_string=HASH, new_string="y"))) == [
        (5, "identifier", HASH, 2)
    ]


def test_a_word_that_a_tool_offers_to_choose() -> None:
    source = did(1, "Bash", f"in_progress {FILL}", command="ls")
    assert gaps(source, pause(2), did(3, "TaskUpdate", "", taskId="2", status="in_progress")) == []
    assert len(gaps(source, pause(2), did(3, "TaskUpdate", "", taskId="in_progress", status="x"))) == 1


def test_a_path_whose_file_name_is_still_in_view() -> None:
    edit = did(3, "Edit", "ok", file_path=PATH, old_string="a", new_string="b")
    assert len(gaps(read(1), pause(2), edit)) == 1
    assert gaps(read(1), pause(2), did(4, "Bash", "redis.ts is there", command="ls"), edit) == []
    assert gaps(read(1), pause(2), said("Now redis.ts."), edit) == []
    assert len(gaps(read(1), pause(2), said("Now oldredis.ts."), edit)) == 1


@pytest.mark.parametrize(("name", "count"), [("/home/ann/shop.d", 0), ("ann/shop.d", 0), ("/home/ann/shop.d/a.py", 1)])
def test_the_working_folder_and_its_parts(name: str, count: int) -> None:
    messages = [asks("Begin"), *did(1, "Bash", f"{name} {FILL}", command="pwd"), *pause(2), *uses(command=f"ls {name}")]
    transcript = loaded(session(*messages))
    transcript = replace(transcript, log=replace(transcript.log, cwd="/home/ann/shop.d"))
    assert len(of(transcript)) == count


def test_a_folder_is_named_and_gives_nothing() -> None:
    source = did(1, "Bash", f"src/auth/store {FILL}", command="ls")
    assert gaps(source, pause(2), uses(command="ls src/auth/store")) == []


def test_an_identifier_that_any_full_item_still_gives_the_same_batch_included() -> None:
    use = uses(command=f"git show {HASH}")
    assert gaps(SOURCE, pause(2), did(4, "Bash", f"again {HASH}", command="git log -1"), use) == []
    two: list[Message] = [
        {
            "role": "assistant",
            "content": "",
            "toolCalls": [{"id": f"d{n}", "name": "Bash", "args": {}} for n in (1, 2)],
        },
        {"role": "tool", "toolCallId": "d1", "content": "nothing"},
        {"role": "tool", "toolCallId": "d2", "content": f"again {HASH}"},
    ]
    assert gaps(SOURCE, pause(2), two, use) == []
    told = [asks("Go on", injected=True), asks(f"of {HASH}", injected=True)]
    assert gaps(SOURCE, pause(2), told, use) == []


@pytest.mark.parametrize(("size", "count"), [(2_000, 1), (2_001, 0)])
def test_a_persons_message_longer_than_2000_characters(size: int, count: int) -> None:
    text = f"Show {HASH}".ljust(size, ".")
    assert len(gaps(SOURCE, pause(2), [asks(text)], said("ok"))) == count


def test_a_path_that_a_request_names_and_something_only_listed() -> None:
    listing = did(1, "Glob", f"{PATH}\n{FILL}", pattern="**/*.ts")
    assert gaps(listing, pause(2), [asks(f"Change {PATH}")], said("ok")) == []
    assert len(gaps(read(1), pause(2), [asks(f"Change {PATH}")], said("ok"))) == 1


@pytest.mark.parametrize(("holders", "count"), [(24, 1), (26, 0)])
def test_a_name_that_many_items_hold(holders: int, count: int) -> None:
    # MOST_HOLDERS is 25 (spec/4): the name is in as many results of an early time, and all have left.
    many: list[Message] = [
        part for n in range(holders) for part in did(50 + n, "Bash", f"{HASH} {FILL}", command="git log")
    ]
    assert len(gaps(many, pause(2), uses(command=f"git show {HASH}"))) == count


def test_a_longer_name_is_another_name() -> None:
    source = did(1, "Bash", f"{HASH}ff {FILL}", command="git log")
    assert gaps(source, pause(2), uses(command=f"git show {HASH}")) == []
