"""Whose calls are a trace's spans? Each model call and tool belongs to the agent whose span is nearest above it."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.otel.spans import AGENT, MODEL, TOOL, Span
from windowkeeper_cli.formats.otel.telling import told_by
from windowkeeper_cli.model.value import NamedTuple

OUTERMOST = ""


class Group(NamedTuple):
    """The spans of one agent in order of their start: its own span (None for those that no agent is above)."""

    name: str
    agent: Span | None
    models: list[Span]
    tools: list[Span]


class Tree:
    """Sorts the spans: `outer` are the groups that no other agent called, `inner` the others, by their names."""

    def __init__(self, spans: list[Span]) -> None:
        self._all = {span.key: span for span in spans}
        ordered = sorted(self._all.values(), key=lambda span: span.start)
        self._repeats = set(self._told_twice(ordered))
        agents = [span for span in ordered if span.kind == AGENT]
        groups = {OUTERMOST: Group(OUTERMOST, None, [], [])}
        names: dict[str, int] = {}
        for span in agents:
            groups[span.key] = Group(_name(span, names), span, [], [])
        for span in ordered:
            group = groups[self._owner(span)]
            if span.kind == MODEL and span.key not in self._repeats:
                group.models.append(span)
            elif span.kind == TOOL:
                group.tools.append(span)
        self._groups = groups
        self.outer, self.inner = self._sorted()

    def _sorted(self) -> tuple[list[Group], dict[str, Group]]:
        """Return the outermost groups and the others; an agent that only calls agents gives them its place."""
        level = [OUTERMOST, *(key for key in self._groups if key and self._owner(self._all[key]) == OUTERMOST)]
        while True:
            below = [key for key in self._groups if key and key not in level and self._owner(self._all[key]) in level]
            if any(self._groups[key].models for key in level) or not below:
                break
            level = below
        inner = {one.name: one for key, one in self._groups.items() if key not in level and one.models}
        return [self._groups[key] for key in level], inner

    def above(self, span: Span) -> Iterator[Span]:
        """Yield the spans above one, the nearest first; a circle of parents ends where it closes."""
        seen = {span.key}
        parent = self._all.get(span.parent)
        while parent is not None and parent.key not in seen:
            seen.add(parent.key)
            yield parent
            parent = self._all.get(parent.parent)

    def _owner(self, span: Span) -> str:
        return next((one.key for one in self.above(span) if one.kind == AGENT), OUTERMOST)

    def _told_twice(self, spans: list[Span]) -> Iterator[str]:
        """Yield the calls that a framework and its client library both tell: the outer one counts if it tells more."""
        for span in spans:
            nearest = next((one for one in self.above(span) if one.kind), None)
            if span.kind == MODEL and nearest is not None and nearest.kind == MODEL:
                yield span.key if told_by(nearest).given else nearest.key


def _name(span: Span, names: dict[str, int]) -> str:
    """Return an agent's name, numbered where several have it."""
    attributes = span.attributes
    told = next((name for key in ("gen_ai.agent.name", "agent.name") if (name := text_or_none(attributes, key))), None)
    name = told or span.name
    count = names[name] = names.get(name, 0) + 1
    return name if count == 1 else f"{name}-{count}"
