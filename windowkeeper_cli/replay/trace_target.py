"""What does WHAT mean: an item by its id, a file by its path or the end of it, or a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from windowkeeper_cli.formats.families import family
from windowkeeper_cli.model.block import Blocks, Think, ToolCall, texts_of
from windowkeeper_cli.model.item import ASSISTANT
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.rules.holders import decoded
from windowkeeper_cli.rules.identifiers import Identifier, identifiers, stands_in

ID, PATH, WORDS = "id", "path", "text"
NO_PATHS = frozenset({"shell", "search", "find", "web-search"})
"""Families whose resource is a command, a pattern or a question: only the whole of it names them."""
WRITE, EDIT = "write", "edit"
_LINES = re.compile(r":[0-9]{1,6}(?:[-:][0-9]{1,6})?$")
_SEPARATORS = re.compile(r"[/\\]")


class Use(NamedTuple):
    """A tool call on the target: made by the message at `at`, answered at `answer` (-1: not), of a tool family."""

    at: int
    call_id: str
    family: str
    answer: int


@dataclass(frozen=True, slots=True)
class Target:
    """What is traced: `items` gave its content, `uses` are tool calls on it, in order of the transcript.

    `names` are what it goes by; each is looked for with boundaries. Where there are none, `plain` is looked for as
    it is. `resources` are the paths that it stands for. `of_uses` says for an item which family gave it.
    """

    what: str
    kind: str
    items: tuple[int, ...]
    names: tuple[Identifier, ...] = ()
    plain: str = ""
    resources: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    mentions: tuple[int, ...] | None = None

    def stands_in(self, text: str) -> bool:
        """Return whether a text names it."""
        if self.plain:
            return self.plain in text
        return any(stands_in(name, text) for name in self.names)

    def named_by(self, blocks: Blocks, own_calls: Iterable[str] = ()) -> bool:
        """Return whether the texts or the arguments of these blocks name it; `own_calls` are passed over."""
        own = frozenset(own_calls)
        return any(self.stands_in(text) for text in spoken(blocks, own))


def spoken(blocks: Blocks, passed_over: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield all that blocks say: texts, reasoning, and the arguments of tool calls but those `passed_over`."""
    yield from texts_of(blocks)
    for block in blocks:
        if isinstance(block, Think) and block.text:
            yield block.text
        elif isinstance(block, ToolCall) and block.id not in passed_over:
            yield decoded(block.args)


def target_of_id(transcript: Transcript, what: str, at: int) -> Target:
    """Return the target that all items with the id of the item at `at` are."""
    item = transcript.items[at]
    items = tuple(one.at for one in transcript.items if one.id == item.id)
    names = [Identifier(item.id, (item.id,), False)]
    resources = (item.resource,) if item.is_result and item.resource else ()
    names += _names(transcript, resources)
    return Target(what, ID, items, tuple(names), "", resources, _uses(transcript, frozenset(resources)))


def target_of_path(transcript: Transcript, what: str) -> Target | None:
    """Return the target of every resource that `what` is, or is the end of; None where there is none.

    Reads give its content, and so do the messages that write it whole; those that edit it where nothing else does.
    """
    for wanted in dict.fromkeys((_plain_path(what), _LINES.sub("", _plain_path(what)))):
        found = _resources(transcript, wanted)
        if found:
            uses = _uses(transcript, frozenset(found))
            more = [name for name in _names(transcript, found) if not _says(name, wanted)]
            names = (Identifier(wanted, (wanted,), True), *more)
            return Target(what, PATH, _sources(uses), names, "", found, uses)
    return None


def target_of_text(transcript: Transcript, what: str) -> Target | None:
    """Return the target of a text that some item holds; None where none does.

    Results and all messages but the model's own give it; the model's where nobody else does.
    """
    known = identifiers(what)
    if len(known) == 1 and known[0].name == what:
        target = Target(what, WORDS, (), (Identifier(what, (what,), known[0].is_path),))
    else:
        target = Target(what, WORDS, (), (), what)
    holders = [item.at for item in transcript.items if target.named_by(transcript.blocks(item.at))]
    if not holders:
        return None
    given = tuple(at for at in holders if transcript.items[at].role != ASSISTANT)
    return Target(what, WORDS, given or tuple(holders), target.names, target.plain, mentions=tuple(holders))


def resources_of(transcript: Transcript) -> tuple[str, ...]:
    """Return the resources of all tool calls that name a path, each once, in order of appearance."""
    found = dict.fromkeys(
        call.resource
        for item in transcript.items
        for call in item.calls
        if call.resource and family(call.name).name not in NO_PATHS
    )
    return tuple(found)


def _plain_path(what: str) -> str:
    bare = what.removeprefix("./")
    return bare.rstrip("/\\") or bare


def _resources(transcript: Transcript, wanted: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for item in transcript.items:
        for call in item.calls:
            resource = call.resource
            if not resource or resource in found:
                continue
            if resource == wanted or (family(call.name).name not in NO_PATHS and _ends(resource, wanted)):
                found[resource] = None
    return tuple(found)


def _ends(resource: str, wanted: str) -> bool:
    """Return whether one path is the end of the other, whole segments; of the log's own, two at least."""
    bare = resource.removeprefix("./")
    if bare == wanted or bare.endswith((f"/{wanted}", f"\\{wanted}")):
        return True
    return "/" in bare and wanted.endswith(f"/{bare}")


def _uses(transcript: Transcript, resources: frozenset[str]) -> tuple[Use, ...]:
    return tuple(
        Use(item.at, call.id, family(call.name).name, transcript.pairs.get((item.at, call.id), -1))
        for item in transcript.items
        for call in item.calls
        if call.resource in resources
    )


def _sources(uses: tuple[Use, ...]) -> tuple[int, ...]:
    given = [use.answer for use in uses if use.family not in (WRITE, EDIT) and use.answer >= 0]
    given += [use.at for use in uses if use.family == WRITE]
    return tuple(sorted(set(given or [use.at for use in uses])))


def _names(transcript: Transcript, resources: tuple[str, ...]) -> list[Identifier]:
    """Return what paths are called by: whole, by two last segments, and by file name where no other file has it."""
    names: list[Identifier] = []
    others = [_file_name(one) for one in resources_of(transcript) if one not in resources]
    taken = frozenset(others)
    for resource in resources:
        known = identifiers(resource)
        if len(known) == 1 and known[0].name == resource.removeprefix("./"):
            names.append(known[0])
        else:
            names.append(Identifier(resource, (resource,), False))
        name = _file_name(resource)
        if name != resource and "." in name[1:] and name not in taken and "\n" not in resource:
            names.append(Identifier(name, (name,), True))
    return names


def _says(name: Identifier, wanted: str) -> bool:
    """Return whether every text with this name has `wanted` in it too, and so need not be searched for both."""
    return all(form == wanted or form.endswith((f"/{wanted}", f"\\{wanted}")) for form in name.forms)


def _file_name(resource: str) -> str:
    return _SEPARATORS.split(resource.rstrip("/\\"))[-1]
