"""What has to change in a window so that its target's provider accepts it as a request?

A result whose call the window does not hold is written as a text of the user; a call that has no result is given one
that says so; results move up to their calls. Each change is counted by name.
"""

from __future__ import annotations

from windowkeeper_cli.formats.content import HIDDEN_THINKING
from windowkeeper_cli.formats.writers.answering import Answers, Asked
from windowkeeper_cli.formats.writers.demands import EVERY, Demands
from windowkeeper_cli.formats.writers.foreign import Foreign
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, TOOL, USER
from windowkeeper_cli.model.sent import Sent, Window

NO_RESULT = "[no result of this tool call is recorded]"
BEFORE = "[earlier messages are not in this window]"


def accepted(window: Window, demands: Demands, losses: Losses) -> Window:
    """Return the window as the provider takes it: ids, names, order and signatures as they are wherever it allows."""
    foreign = Foreign(window.transcript, demands, losses)
    parts = [made for part in window.parts for made in _parts(part, foreign, losses)]
    answers = Answers(parts, window.transcript.items, demands, losses)
    made = _Sequence(parts, answers, demands, losses, foreign).parts()
    if demands.closed:
        made = _closed(made, losses, every=demands.closed == EVERY)
    losses.add("no message is left, and a request needs one", all(part.role == SYSTEM for part in made))
    first = next((part for part in made if part.role != SYSTEM), None)
    if demands.user_first and first is not None and first.role != USER:
        made.insert(made.index(first), Sent(None, USER, (Text(BEFORE),)))
        losses.add("a user's message put first, which says that earlier ones are missing")
    return Window(window.transcript, tuple(made))


def _parts(part: Sent, foreign: Foreign, losses: Losses) -> list[Sent]:
    """Return a part with blocks that the provider takes, results apart; nothing where nothing of it is left."""
    if part.role == TOOL:
        return [part._replace(blocks=tuple(map(foreign.result, _results(part.blocks))))]
    apart = [part._replace(role=TOOL, at=None, blocks=(foreign.result(result),)) for result in _results(part.blocks)]
    own = tuple(block for block in part.blocks if not isinstance(block, ToolResult))
    blocks = foreign.message(part.at, part.role, own)
    if not blocks and not apart:
        losses.add("messages without content, left out")
    return [*apart, part._replace(blocks=blocks)] if blocks else apart


def _results(blocks: Blocks) -> tuple[ToolResult, ...]:
    return tuple(block for block in blocks if isinstance(block, ToolResult))


class _Sequence:
    """Puts the parts in the order that the provider takes."""

    def __init__(self, parts: list[Sent], answers: Answers, demands: Demands, losses: Losses, foreign: Foreign) -> None:
        self._parts = parts
        self._foreign = foreign
        self._answers = answers
        self._demands = demands
        self._losses = losses
        self._by_call: dict[Asked, int] = {asked: index for index, asked in answers.results.items()}
        self._made: list[Sent] = []

    def parts(self) -> list[Sent]:
        """Return all parts."""
        for index, part in enumerate(self._parts):
            if part.role == ASSISTANT:
                self._said(index, part)
            elif part.role == TOOL:
                self._given(index, part)
            elif part.role == SYSTEM and not self._demands.system_inline and self._is_begun():
                self._losses.add("system texts among the messages, written as the user's")
                self._made.append(part._replace(role=USER))
            else:
                self._made.append(part)
        return self._made

    def _is_begun(self) -> bool:
        return bool(self._made) and self._made[-1].role != SYSTEM

    def _said(self, index: int, part: Sent) -> None:
        """Take a message of the model, with the results of its calls where they have to follow it."""
        asked = self._answers.calls.get(index, [])
        named = {one.block: one.id for one in asked}
        blocks = tuple(_named(block, named.get(n)) for n, block in enumerate(part.blocks))
        self._made.append(part._replace(blocks=blocks))
        answered = sorted(self._by_call[one] for one in asked if one in self._by_call)
        missing = [one for one in asked if one not in self._by_call]
        if missing and not answered and index == len(self._parts) - 1:
            self._losses.add("calls at the end that wait: give their results before this is sent", len(missing))
            return
        if self._demands.adjacent:
            for result in answered:
                self._answer(result)
            self._count_late(index, answered)
        for one in missing:
            self._losses.add("calls without a result, given one that says so")
            call = part.blocks[one.block]
            name = call.name if isinstance(call, ToolCall) else None
            self._made.append(Sent(None, TOOL, (ToolResult(one.id, name, True, (Text(NO_RESULT),)),)))

    def _count_late(self, index: int, answered: list[int]) -> None:
        late = [result for result in answered if any(self._parts[n].role != TOOL for n in range(index + 1, result))]
        self._losses.add("results that came later, moved up to their calls", len(late))

    def _answer(self, index: int) -> None:
        part, asked = self._parts[index], self._answers.results[index]
        result = part.blocks[0]
        assert isinstance(result, ToolResult)
        self._made.append(part._replace(blocks=(result._replace(id=asked.id),)))

    def _given(self, index: int, part: Sent) -> None:
        """Take a result: in its place where that is free, as a text where nothing asked for it."""
        if index in self._answers.results:
            if not self._demands.adjacent:
                self._answer(index)
            return
        self._losses.add("results whose call is not there or was answered before, written as the user's text")
        for result in _results(part.blocks):
            name = one_line(result.name or "a tool")
            head = Text(f"[result of {name}, whose call is not here or was answered before; id {one_line(result.id)}]")
            content = self._foreign.message(None, USER, result.content)
            self._made.append(part._replace(role=USER, blocks=(head, *content)))


def _named(block: Block, ident: str | None) -> Block:
    return block._replace(id=ident) if ident is not None and isinstance(block, ToolCall) else block


def _closed(parts: list[Sent], losses: Losses, *, every: bool) -> list[Sent]:
    """Return the parts, no run of the model's messages ending with reasoning, or the one at the end not."""
    made: list[Sent] = []
    for part in [*parts, None]:
        ends = part is None or (every and part.role != ASSISTANT)
        while ends and made and made[-1].role == ASSISTANT:
            last = made.pop()
            blocks = last.blocks
            while blocks and _is_reasoning(blocks[-1]):
                blocks = blocks[:-1]
                losses.add("reasoning that nothing follows, left out")
            if blocks:
                made.append(last._replace(blocks=blocks))
                break
        if part is not None:
            made.append(part)
    return made


def _is_reasoning(block: Block) -> bool:
    return isinstance(block, Think) or (isinstance(block, Other) and block.kind == HIDDEN_THINKING)
