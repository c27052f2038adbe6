"""Holders: what requests name is looked for as far as it can matter, and found there as in a plain search."""

from __future__ import annotations

import pytest

from tests.generated import loaded
from tests.sessions import asks, calls, gives, session
from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.example import Message
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.rules.holders import MOST_HOLDERS, Holders
from windowkeeper_cli.rules.identifiers import identifiers, stands_in


def made(*messages: Message) -> tuple[Transcript, Holders]:
    transcript = loaded(session(*messages))
    return transcript, Holders(transcript.items, transcript.blocks, transcript.pairs)


def rounds(first: int, number: int, text: str) -> list[Message]:
    return [message for n in range(first, first + number) for message in (calls(n), gives(n, text))]


def test_items_behind_the_last_request_that_names_something_are_not_looked_through() -> None:
    _, short = made(asks("Look"), *rounds(0, 40, "in src/a.py"), asks("Fix src/a.py"))
    _, long = made(asks("Look"), *rounds(0, 40, "in src/a.py"), asks("Fix src/a.py"), *rounds(50, 400, "in src/a.py"))
    assert short.looked_at == long.looked_at > 0


def test_a_name_with_too_many_holders_is_looked_for_no_further() -> None:
    few = made(asks("Look"), *rounds(0, 100, "in src/a.py"), asks("Fix src/a.py"))[1]
    many = made(asks("Look"), *rounds(0, 1_000, "in src/a.py"), asks("Fix src/a.py"))[1]
    assert few.looked_at == many.looked_at > 0
    assert len(many.of("src/a.py", 2_001)[1]) > MOST_HOLDERS


@pytest.mark.parametrize("names", [3, 120])
def test_what_few_hold_is_found_as_by_a_plain_search_with_few_names_and_with_many(names: int) -> None:
    paths = [f"src/part{n}/file{n}.py" for n in range(names)]
    messages = [asks("Look")]
    for n, path in enumerate(paths):
        messages += [calls(n, "read", path=path), gives(n, f"1: import {path}\n" if n % 2 else "nothing")]
        messages += rounds(1_000 + 10 * n, n % 5, f"see {path}, and part{n}/file{n}.pyc")
    ask = [asks(f"Fix {' and '.join(paths[at : at + 20])}") for at in range(0, names, 20)]
    transcript, found = made(*messages, *ask)
    reads = [item.at for item in transcript.items if item.is_result and item.tool_name == "read"]
    for item in transcript.items:
        if not item.request:
            continue
        text = "".join(texts_of(transcript.blocks(item.at)))
        assert found.asked_for(item.at) == tuple(one.name for one in identifiers(text))
        for one in identifiers(text):
            texts = {at: "\n".join(texts_of(transcript.blocks(at))) for at in range(item.at)}
            named, mentions = found.of(one.name, item.at)
            assert list(mentions) == [at for at, held in texts.items() if stands_in(one, held)]
            number = next(n for n, path in enumerate(paths) if path == one.name)
            assert list(named) == [reads[number]]
