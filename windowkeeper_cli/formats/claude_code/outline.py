"""What is in a session log, in figures? The chain is found as for a load, from lines without their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from windowkeeper_cli.formats.claude_code.agents import by_agent
from windowkeeper_cli.formats.claude_code.chain import BOUNDARY, MICRO_BOUNDARY, Tree, removals
from windowkeeper_cli.formats.claude_code.entries import Sent
from windowkeeper_cli.formats.claude_code.light import Light
from windowkeeper_cli.formats.claude_code.lines import (
    ASSISTANT,
    ATTACHMENT,
    MESSAGES,
    USER,
    Line,
)
from windowkeeper_cli.formats.claude_code.parts import parts_of
from windowkeeper_cli.formats.claude_code.waiting import Taken, behind_results, taken_prompts, within
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.listed import each_value, objects_in
from windowkeeper_cli.formats.outline import Glance, Outline, first_words, span_of
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.model.block import ToolResult, texts_of
from windowkeeper_cli.model.item import NOTICE_PREFIX, SUMMARY_PREFIX


def glance(head: Sequence[Any], tail: Sequence[Any]) -> Glance:
    """Return what the records of a log's head and tail say."""
    first, last = objects_in(head), objects_in(tail)
    messages = [value for value in first if type_name(value) in MESSAGES]
    closing = [value for value in last if type_name(value) in MESSAGES]
    times = [time for value in (*messages, *closing) if isinstance(time := value.get("timestamp"), str)]
    started, ended = span_of(times)
    named = [name for value in (*first, *last) if isinstance(name := value.get("sessionId"), str)]
    return Glance(
        session=named[-1] if named else None,
        project=next((cwd for value in first if isinstance(cwd := value.get("cwd"), str)), None),
        first=started,
        last=ended,
        side=bool(messages) and all(value.get("isSidechain") is True for value in messages),
        keys=tuple(keys(first)),
    )


def keys(values: Iterable[Any]) -> list[str]:
    """Return a name for every record with a uuid: a line of a reply by the reply's id and its number in it.

    A resume copies records into a new file, in some versions under new uuids; the ids of replies stay.
    """
    found: list[str] = []
    replies: dict[str, int] = {}
    for value in each_value(values):
        uuid = value.get("uuid") if isinstance(value, dict) else None
        if not isinstance(uuid, str):
            continue
        message = value.get("message") if value.get("type") == ASSISTANT else None
        reply = message.get("id") if isinstance(message, dict) else None
        if isinstance(reply, str):
            number = replies[reply] = replies.get(reply, 0) + 1
            found.append(f"{reply} {number}")
        else:
            found.append(uuid)
    return found


def outline(reading: Reading) -> Outline | None:
    """Return the figures of a session's last part, or of a subagent's file; None where there is no message."""
    found = Light(reading)
    main, alone = found.main, False
    if not any(line.is_message for line in main):
        main = sorted([*(line._replace(side=False) for line in found.side), *main], key=lambda line: line.pos)
        alone = True
    tree = Tree(main)
    roots = tree.roots()
    parts = parts_of(tree, roots)
    if not parts:
        return None
    met = tree.walk(parts[-1][1])
    chain = [main[at] for at in sorted(met)]
    taken = [] if alone else behind_results(within(taken_prompts(main), tree, met), chain)
    asked = _requests(chain, taken, alone)
    prompts = found.prompts
    replies = dict.fromkeys(line.reply for line in chain if line.kind == ASSISTANT and not line.synthetic)
    reported = [prompt for reply in replies if (prompt := prompts.get(reply or "")) is not None]
    marks = removals(chain)
    started, ended = span_of(found.times)
    return Outline(
        format="claude-code",
        session=found.session,
        project=found.project,
        started=started,
        ended=ended,
        calls=len(replies),
        requests=len(asked),
        agents=() if alone else tuple(by_agent(found.side)),
        peak=max(reported, default=None),
        last=reported[-1] if reported else None,
        compactions=marks.count(BOUNDARY),
        microcompactions=marks.count(MICRO_BOUNDARY),
        request=first_words(asked[0]) if asked else None,
        not_understood=found.unknown,
    )


def _requests(chain: Sequence[Line], taken: Sequence[Taken], alone: bool) -> list[str]:
    """Return the texts of what persons asked on the chain; a subagent has its first prompt."""
    told = [line for line in chain if line.kind == ATTACHMENT or (line.kind == USER and not _is_result(line))]
    sent = Sent(told, taken, subagent=alone)
    texts = ["".join(texts_of(entry.blocks)[:1]) for entry in sent.entries if entry.request]
    return [text for text in texts if not text.startswith((NOTICE_PREFIX, SUMMARY_PREFIX))]


def _is_result(line: Line) -> bool:
    return len(line.blocks) == 1 and type(line.blocks[0]) is ToolResult
