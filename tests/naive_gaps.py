"""A plain way to find evidence gaps: at every call every earlier item is read again; the oracle of the index.

It shares with the package what reads one text (identifiers, what a tool's arguments use, the lines a result shows),
and nothing of what finds, counts or remembers items.
"""

from __future__ import annotations

from typing import NamedTuple

from windowkeeper_cli.formats.families import OTHER, family
from windowkeeper_cli.model.block import Text, Think, ToolCall, ToolResult, texts_of
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.addresses import Addresses
from windowkeeper_cli.replay.gaps.arguments import names_in
from windowkeeper_cli.replay.gaps.file_name import with_file_name
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.shown_lines import Shown, shown
from windowkeeper_cli.replay.gaps.sourced import is_folder, is_foreign, is_own_machine, is_working_folder
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.rules.holders import decoded, request_names
from windowkeeper_cli.rules.identifiers import Identifier, identifiers
from windowkeeper_cli.rules.sought import holds

LOOKING = ("write", "edit")


class Used(NamedTuple):
    """One tool call of a message, as it stands there."""

    at: int
    call: ToolCall
    kind: str
    about: str | None
    answer: int


class Naive:
    """The gaps of one session; `gaps` grows with each step."""

    def __init__(self, transcript: Transcript, counts: Counts, settings: Settings) -> None:
        self.transcript, self.counts = transcript, counts
        self.session = Session(transcript, counts, settings)
        self.left: dict[int, tuple[int, str]] = {}
        self.gaps: list[Gap] = []
        lost = -1
        for call, step in zip(transcript.all_calls(), self.session.steps(), strict=True):
            self._note_leaving(step.call)
            found: list[Gap] = []
            if call.number <= len(transcript.calls) and call.at < len(transcript.items):
                uses = self._uses(call.at)
                found += [gap for use in uses for gap in self._re_read(call.number, use)]
                found += [gap for use in uses for gap in self._identifiers(call.number, use)]
            earlier = max((one.anchor for one in transcript.all_calls()[: call.number - 1]), default=-1)
            if call.anchor > earlier:
                found += self._mentions(call.number, call.at, call.anchor)
            seen: set[int | None] = set()
            for gap in found:
                if gap.source not in seen:
                    self.gaps.append(gap)
                seen.add(gap.source)
            gone = call.anchor if call.anchor >= 0 and self._form(call.anchor) is not Form.FULL else -1
            if gone >= 0 and gone != lost:
                self.gaps.append(self._gap(call.number, "request-lost", "", None, gone, None, ()))
            lost = gone

    def _note_leaving(self, call: int) -> None:
        for at in range(self.session.fold.held):
            if self._form(at) is Form.FULL:
                self.left.pop(at, None)
            elif at not in self.left:
                self.left[at] = call, self.session.rule_of(at) or ""

    def _form(self, at: int) -> Form:
        return self.session.fold.form(at)

    def _uses(self, at: int) -> list[Used]:
        about = {ref.id: ref.resource for ref in self.transcript.items[at].calls}
        return [
            Used(at, block, family(block.name).name, about.get(block.id), self.transcript.pairs.get((at, block.id), -1))
            for block in self.transcript.blocks(at)
            if isinstance(block, ToolCall)
        ]

    # Re-reads.

    def _re_read(self, call: int, use: Used) -> list[Gap]:
        if not use.about or use.kind in LOOKING or use.answer < 0 or self.counts.tokens[use.answer] < 100:
            return []
        places = [one.at for one in self.transcript.calls if one.at < use.at]
        before = [one for at in places for one in self._uses(at)]
        before += self._uses(use.at)[: self._place(use)]
        same = [one for one in before if self._alike(one, use) and 0 <= one.answer < use.at]
        if not same:
            return []
        if use.kind == "shell" and any(one.kind in LOOKING for one in before if same[-1].at <= one.at < use.at):
            return []
        new = self._shown(use)
        covered: set[int] = set()
        whole, sources = False, []
        for one in reversed(same[-25:]):
            old = self._shown(one)
            if old.text == new.text:
                whole = True
                sources.append(one)
                continue
            if use.kind == "shell" or one.call.args == use.call.args:
                break
            both = set(new.lines or ()) & set(old.lines or ())
            if new.lines is None or old.lines is None:
                continue
            if any(new.lines[line] != old.lines[line] for line in both):
                break
            if both:
                covered |= both
                sources.append(one)
        if not sources or self.counts.tokens[use.answer] * (1.0 if whole else part(new, covered)) < 100:
            return []
        if any(self._shows(new, use, one.answer) for one in sources):
            return []
        exact = any(one.call.args == use.call.args for one in sources)
        known = identifiers(use.about)
        name = known[0] if len(known) == 1 and known[0].name == use.about.removeprefix("./") else None
        names = () if name is None else with_file_name(name)[-1:]
        return [self._gap(call, "re-read", use.about, use.answer, sources[0].answer, exact, names)]

    def _place(self, use: Used) -> int:
        return next(place for place, one in enumerate(self._uses(use.at)) if one.call is use.call)

    @staticmethod
    def _alike(one: Used, other: Used) -> bool:
        if one.about != other.about:
            return False
        return one.kind == other.kind and (one.kind != OTHER.name or one.call.name == other.call.name)

    def _shown(self, use: Used) -> Shown:
        blocks = self.transcript.blocks(use.answer)
        own = [block for block in blocks if isinstance(block, ToolResult) and block.id == use.call.id]
        return shown("\n".join(texts_of(tuple(own) or blocks)))

    def _shows(self, new: Shown, use: Used, at: int) -> bool:
        if self._form(at) is Form.FULL:
            return True
        if self._form(at) is not Form.TRUNCATED:
            return False
        kept = shown("\n".join(self._standing(at)))
        if kept.text == new.text:
            return True
        if new.lines is None or kept.lines is None:
            return False
        both = set(new.lines) & set(kept.lines)
        if any(new.lines[line] != kept.lines[line] for line in both):
            return False
        return self.counts.tokens[use.answer] * (1 - part(new, both)) < 100

    # Identifiers.

    def _identifiers(self, call: int, use: Used) -> list[Gap]:
        found = []
        for one in names_in(use.call.args, use.kind):
            looked_at = use.kind not in ("shell", "edit", OTHER.name) and one.name in (use.about or "")
            if not looked_at:
                by = use.answer if use.answer >= 0 else use.at
                content = use.kind == "edit" and one.is_path and one.name == (use.about or "").removeprefix("./")
                name_alone = use.kind != "edit"
                found += self._missing(
                    call, "identifier", one, use.at, by, None, name_alone=name_alone, content=content
                )
        return found

    def _mentions(self, call: int, before: int, request: int) -> list[Gap]:
        names = request_names(self.transcript.blocks(request))
        return [
            gap
            for one in names
            for gap in self._missing(
                call, "mention", one, before, request, request, name_alone=False, content=one.is_path
            )
        ]

    def _missing(
        self,
        call: int,
        kind: str,
        one: Identifier,
        before: int,
        by: int,
        request: int | None,
        *,
        name_alone: bool,
        content: bool,
    ) -> list[Gap]:
        cwd = self.transcript.log.cwd
        if is_folder(one) or is_own_machine(one.name) or is_foreign(one.name, cwd) or is_working_folder(one.name, cwd):
            return []
        said, given, called = self._holding(one, before)
        first = min([*given, *called], default=None)
        if first is None or (not content and said and said[0] < first):
            return []
        end = before if request is None else request
        about = [at for at in sorted(called) if at < end and self.counts.tokens[at] >= 60]
        items = self.transcript.items
        having = [at for at in given if at < end and (items[at].role == "tool" or items[at].authored_by == "person")]
        sources = about or ([] if content else having)
        names = with_file_name(one)
        others = self._holding(names[1], before) if len(names) > 1 else ()
        sets = [{*said, *given, *called}, *([{*others[0], *others[1], *others[2]}] if others else [])]
        if not sources or any(len(found) > 25 for found in sets):
            return []
        if any(self._gives(at, names, name_alone=name_alone) for at in set().union(*sets) - {request}):
            return []
        if name_alone and any(holds(name, text.text) for text in self.session.fold.inserted() for name in names):
            return []
        return [self._gap(call, kind, one.name, by, sources[-1], None, names)]

    def _holding(self, one: Identifier, before: int) -> tuple[list[int], list[int], list[int]]:
        said, given, called = [], [], set()
        for at in range(before):
            blocks = self.transcript.blocks(at)
            if self.transcript.items[at].role != "assistant":
                if any(holds(one, text) for text in ("\n".join(texts_of(blocks)),)):
                    given.append(at)
                continue
            calls = [block for block in blocks if isinstance(block, ToolCall)]
            naming = [block for block in calls if holds(one, decoded(block.args))]
            spoken = "\n".join(block.text for block in blocks if isinstance(block, Text | Think))
            if naming or holds(one, spoken):
                said.append(at)
            called |= {self.transcript.pairs.get((at, block.id), before) for block in naming}
        return said, given, sorted(at for at in called if at < before)

    def _gives(self, at: int, names: tuple[Identifier, ...], *, name_alone: bool) -> bool:
        form = self._form(at)
        if form is Form.FULL:
            return True
        if form is Form.TRUNCATED or (form is not Form.OUT and name_alone):
            return any(holds(name, text) for text in self._standing(at) for name in names)
        return False

    # What both need.

    def _standing(self, at: int) -> tuple[str, ...]:
        form, text, cut = self.session.fold.standing(at)
        return texts_of(blocks_in_form(self.transcript.blocks(at), form, text, cut))

    def _gap(
        self,
        call: int,
        kind: str,
        use: str,
        by: int | None,
        source: int,
        exact: bool | None,
        names: tuple[Identifier, ...],
    ) -> Gap:
        when, rule = self.left[source]
        asking = by if kind == "mention" else None
        return Gap(call, kind, use, by, source, when, rule, call - when, self._address(source, names, asking), exact)

    def _address(self, source: int, names: tuple[Identifier, ...], asking: int | None) -> str:
        if Addresses(self.session).of(source) == "recallable":
            return "recallable"
        answers = self.transcript.items[source].answers
        if self._form(source) is not Form.OUT or (answers >= 0 and self._form(answers) is not Form.OUT):
            return "mentioned"
        texts = [insert.text for insert in self.session.fold.inserted()]
        for at in range(self.session.fold.held):
            if at == asking:
                continue
            if self._form(at) is not Form.OUT:
                texts += self._standing(at)
            if self._form(at) is Form.FULL:
                blocks = self.transcript.blocks(at)
                texts += [decoded(block.args) for block in blocks if isinstance(block, ToolCall)]
                texts += [block.text for block in blocks if isinstance(block, Think)]
        return "mentioned" if any(holds(name, text) for text in texts for name in names) else "lost"


def part(new: Shown, lines: set[int]) -> float:
    """Return what part of a result these lines of it are, by characters with their breaks."""
    sizes = {number: len(line) + 1 for number, line in (new.lines or {}).items()}
    return sum(sizes[number] for number in lines) / sum(sizes.values()) if sizes else 0.0
