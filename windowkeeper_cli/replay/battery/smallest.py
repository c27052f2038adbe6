"""What is the smallest transcript that still shows a fault? Parts are taken away, by no chance, while it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from windowkeeper_cli.replay.battery.awkward import Json
from windowkeeper_cli.replay.battery.trial import Trial

MOST = 1_500
"""Runs that one fault may take; what is left then is small, if not the smallest."""
LEFT = ("role", "content", "toolCallId", "toolCalls")
"""Keys of a message that it cannot do without, or that have a smaller form of their own."""
Value = TypeVar("Value")
Shows = Callable[[Trial], bool]


def smallest(trial: Trial, shows: Shows, most: int = MOST) -> Trial:
    """Return a trial that shows the same with no message, flag, policy key or half of a text or number to spare."""
    left = [most]

    def still(made: Trial) -> bool:
        left[0] -= 1
        return left[0] >= 0 and shows(made)

    before = None
    while before != trial and left[0] > 0:
        before = trial
        trial = _fewer_messages(trial, still)
        trial = trial._replace(sets=tuple(_fewer(list(trial.sets), _with_sets(trial, still))))
        trial = _smaller_numbers(trial, still)
        trial = _plainer(trial, still)
    return trial


def _with_sets(trial: Trial, still: Shows) -> Callable[[list[str]], bool]:
    return lambda sets: still(trial._replace(sets=tuple(sets)))


def _smaller_numbers(trial: Trial, still: Shows) -> Trial:
    """Return the trial with each number of its policy halved as long as it shows: a small limit needs little text."""
    for at in range(len(trial.sets)):
        key, _, value = trial.sets[at].partition("=")
        while value.isdecimal() and int(value) > 1:
            value = str(int(value) // 2)
            made = trial._replace(sets=(*trial.sets[:at], f"{key}={value}", *trial.sets[at + 1 :]))
            if not still(made):
                break
            trial = made
    return trial


def _fewer_messages(trial: Trial, still: Shows) -> Trial:
    messages = _fewer(trial.document["messages"], lambda kept: still(_holding(trial, kept)))
    return _holding(trial, messages)


def _holding(trial: Trial, messages: list[Json]) -> Trial:
    return trial._replace(document={**trial.document, "messages": messages})


def _fewer(values: list[Value], still: Callable[[list[Value]], bool]) -> list[Value]:
    """Return the values without those that it shows without: halves first, then quarters, at last one by one."""
    size = max(len(values) // 2, 1)
    while values:
        at = len(values)
        while at > 0:
            kept = values[: max(at - size, 0)] + values[at:]
            if len(kept) < len(values) and still(kept):
                values = kept
            at -= size
        if size == 1:
            break
        size //= 2
    return values


def _plainer(trial: Trial, still: Shows) -> Trial:
    """Return the trial with plainer messages: each smaller form of one is kept where it still shows."""
    for key in [key for key in trial.document if key not in ("format", "messages")]:
        document = {name: value for name, value in trial.document.items() if name != key}
        if still(trial._replace(document=document)):
            trial = trial._replace(document=document)
    for at in range(len(trial.document["messages"])):
        changed = True
        while changed:
            changed = False
            for message in _plainer_forms(trial.document["messages"][at]):
                messages = list(trial.document["messages"])
                messages[at] = message
                made = _holding(trial, messages)
                if still(made):
                    trial, changed = made, True
                    break
    return trial


def _plainer_forms(message: Json) -> Iterator[Json]:
    """Yield smaller forms of a message, the smallest first."""
    for key in message:
        if key not in LEFT:
            yield {name: value for name, value in message.items() if name != key}
    for content in _shorter(message.get("content", "")):
        yield {**message, "content": content}
    calls: list[Json] = message.get("toolCalls") or []
    if "toolCalls" in message and not calls:
        yield {name: value for name, value in message.items() if name != "toolCalls"}
    for n, call in enumerate(calls):
        yield {**message, "toolCalls": calls[:n] + calls[n + 1 :]}
        if call.get("args"):
            yield {**message, "toolCalls": [*calls[:n], {**call, "args": {}}, *calls[n + 1 :]]}


def _shorter(content: Any) -> Iterator[Any]:
    """Yield smaller contents: none, a letter for the text, half of it."""
    if content in ("", None, "x"):
        return
    yield ""
    yield "x"
    if isinstance(content, str):
        plain = "x" * len(content)
        for less in (2, 4, 16, len(content)):
            yield plain[: len(content) - max(len(content) // less, 1)]
        if content != plain:
            yield plain
    elif isinstance(content, list):
        yield "".join(part.get("text", "") for part in content if isinstance(part, dict))
        yield from (content[:n] + content[n + 1 :] for n in range(len(content)))
