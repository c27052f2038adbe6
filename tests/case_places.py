"""Which items, and which of their blocks, does a place of the original document name?

Nothing is known here of any format. A line of a log is found by the items' origins. A place inside a document is found
by loading the document cut off right before and right behind it: what the second load holds more than the first is it.
"""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import Any, NamedTuple

from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.transcript import Transcript

_STEP = re.compile(r"(?:^|\.)([A-Za-z_]+)|\[([0-9]+)\]")


class Placed(NamedTuple):
    """One block of the transcript: the item's position, and the block's index among the item's."""

    at: int
    part: int


class Places:
    """Answers for one loaded file; a place that names nothing raises LookupError."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.found: dict[str, list[Placed]] = {}

    @cached_property
    def document(self) -> Any:
        """Return the document that every item comes from."""
        (origins,) = {item.origins for item in self.transcript.items}
        assert len(origins) == 1
        return json.loads(self.transcript.source.raw(0))

    def of(self, place: str | int) -> list[Placed]:
        """Return the blocks at a place: a line's number, or a path (`messages[2].content[0]`, `[3]`, `system`)."""
        key = str(place)
        if key not in self.found:
            self.found[key] = self._line(int(key)) if key.isdigit() else self._path(key)
            if not self.found[key]:
                raise LookupError(f"nothing of the transcript stands at {place}")
        return self.found[key]

    def items(self, place: str | int) -> list[int]:
        """Return the positions of the items at a place."""
        return list(dict.fromkeys(placed.at for placed in self.of(place)))

    def messages(self) -> list[str]:
        """Return the paths of the document's messages; empty for a file of lines."""
        origins = {item.origins for item in self.transcript.items}
        if len(origins) > 1 or not isinstance(self.document, dict | list):
            return []
        path, steps = ("", self.document) if isinstance(self.document, list) else ("messages", self._messages())
        return [f"{path}[{n}]" for n in range(len(steps))]

    def _messages(self) -> list[Any]:
        found = self.document if isinstance(self.document, list) else self.document.get("messages")
        return found if isinstance(found, list) else []

    def _line(self, line: int) -> list[Placed]:
        here = [item for item in self.transcript.items if any(origin.line == line for origin in item.origins)]
        return [Placed(item.at, index) for item in here for index in range(len(self.transcript.blocks(item.at)))]

    def _path(self, path: str) -> list[Placed]:
        steps = [name or int(number) for name, number in _STEP.findall(path)]
        if all(isinstance(step, str) for step in steps):
            return self._key(steps)
        before, behind = self._cut(steps, 0), self._cut(steps, 1)
        self._must_begin(behind)
        return behind[len(before) :]

    def _key(self, steps: list[Any]) -> list[Placed]:
        """Return what leads the transcript and is not there without that key."""
        without = {key: value for key, value in self.document.items() if key != steps[0]}
        more = len(self._blocks(self.document)) - len(self._blocks(without))
        return self._blocks(self.document)[:more]

    def _cut(self, steps: list[Any], more: int) -> list[Placed]:
        """Return the blocks of the document that ends before the place, or with `more` 1 right behind it."""
        copied = json.loads(json.dumps(self.document))
        holder: Any = copied
        numbers = [n for n, step in enumerate(steps) if isinstance(step, int)]
        for n, step in enumerate(steps):
            if isinstance(step, int):
                if not isinstance(holder, list) or step >= len(holder):
                    raise LookupError(f"there is no [{step}] in it")
                del holder[step + (more if n == numbers[-1] else 1) :]
            holder = holder[step] if n < numbers[-1] else holder
        return self._blocks(copied)

    def _blocks(self, document: Any) -> list[Placed]:
        try:
            made = loads(json.dumps(document).encode(), "part.json", from_=self.transcript.format)
        except InputError:
            return []
        return [Placed(item.at, index) for item in made.items for index in range(len(made.blocks(item.at)))]

    def _must_begin(self, blocks: list[Placed]) -> None:
        """Raise where the blocks of a part are not the transcript's first ones, so that counting them tells nothing."""
        whole = self._blocks(self.document)
        if blocks != whole[: len(blocks)]:
            raise LookupError("the part does not load as the beginning of the whole")
