"""Transcripts made by hand: items from blocks, calls from positions, nothing read from a file."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.call import Call, Usage
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.transcript import Transcript


class Held:
    """Blocks in memory; counts how often each was asked for."""

    def __init__(self, blocks: Sequence[Blocks]) -> None:
        self._blocks = blocks
        self.asked = [0] * len(blocks)

    def blocks(self, at: int) -> Blocks:
        self.asked[at] += 1
        return self._blocks[at]

    def raw(self, at: int) -> bytes:
        raise AssertionError(at)

    def measured(self, at: int, measure: object) -> None:  # noqa: ARG002
        return None


def transcript(
    blocks: Sequence[Blocks],
    prompts: Sequence[tuple[int, int | None]] = (),
    *,
    events: tuple[Event, ...] = (),
    models: list[str] | str | None = None,
    envelope: int = 0,
) -> Transcript:
    """Return a transcript; `prompts` are (position of the reply, reported prompt) call by call."""
    named = [models] * len(prompts) if isinstance(models, str) or models is None else models
    calls = tuple(
        Call(number, at, 1, number, -1, model=model, usage=None if prompt is None else Usage(prompt, 1))
        for number, ((at, prompt), model) in enumerate(zip(prompts, named, strict=True), 1)
    )
    return Transcript(
        items=tuple(_item(at) for at in range(len(blocks))),
        calls=calls,
        next_call=Call(len(calls) + 1, len(blocks), 1, len(calls) + 1, -1),
        source=Held(blocks),
        format="windowkeeper",
        models=tuple(dict.fromkeys(model for model in named if model)),
        envelope=envelope,
        events=events,
    )


def _item(at: int) -> Item:
    return Item(
        at=at,
        id=f"{at:012x}",
        role="user",
        turn=at,
        authored_by="person",
        request=False,
        units=0,
        tool_name=None,
        tool_call_id=None,
        resource=None,
        calls=(),
        answers=-1,
        is_error=False,
        pinned=False,
        task=False,
        tags=(),
        ttl_turns=None,
        effect=None,
        stage=None,
        timestamp=None,
        origins=(),
    )
