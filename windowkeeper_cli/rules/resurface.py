"""Resurface: what the current request names stays, or comes back."""

from __future__ import annotations

from collections.abc import Callable

from windowkeeper_cli.model.decision import FULL, OUT, STUB, Decision
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.rules.holders import MOST_HOLDERS
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.stub import quoted
from windowkeeper_cli.rules.visit import Moves, Visit

SOURCE_TOKENS = 60
LIMIT_SHARE = 5

TEXT = RuleText(
    name="resurface.identifiers",
    kind="rule",
    what="The newest source of each name in the current request stays in full, or comes back in full.",
    why="The person has just pointed at it. Names held by many items, and very large sources, point at nothing.",
    key="resurface.identifiers",
    example=Example(
        transcript=session(
            asks("Look around"),
            calls(1, "read_file", path="src/auth/redis.ts"),
            gives(1),
            asks("Fix src/auth/redis.ts"),
        ),
        policy=tight(),
        expect=("keep", 2),
    ),
)


class Resurface:
    """Acts once for each request, at the first visit at which it is the current one."""

    def __init__(self) -> None:
        self._anchor: int | None = None

    def is_due(self, visit: Visit) -> bool:
        """Return whether the current request is another one than at the last visit that acted."""
        return visit.anchor != self._anchor

    def step(self, now: Pass, came_back: Callable[[int], None]) -> Moves:
        """Keep or recall the sources of the current request's names; `came_back` hears of each item that returns."""
        visit, settings = now.visit, now.visit.settings.resurface
        if not self.is_due(visit):
            return
        self._anchor = visit.anchor
        if visit.anchor < 0 or not settings.identifiers:
            return
        chosen: set[int] = set()
        for name in visit.sources.asked_for(visit.anchor):
            if len(chosen) >= settings.max_items:
                return
            source = self._source(now, name)
            if source is None or source in chosen:
                continue
            why = f"{quoted(name)} in the current request"
            if visit.view.form(source) is FULL:
                chosen.add(source)
                yield self._decision(now, source, "keep", f"{why}; kept in full")
            elif visit.view.full_size(source) * LIMIT_SHARE <= now.limit:
                chosen.add(source)
                for move in self._bring_back(now, source, why):
                    came_back(move.at)
                    yield move

    def _source(self, now: Pass, name: str) -> int | None:
        """Return the newest source of a name: a result whose own call names it, else whatever mentions it."""
        view = now.visit.view
        named, mentions = now.visit.sources.of(name, now.visit.anchor)
        if len({*named, *mentions}) > MOST_HOLDERS:
            return None
        large = [at for at in named if view.full_size(at) >= SOURCE_TOKENS]
        for at in reversed(large or mentions):
            if now.visit.item(at).turn >= 0:
                return at
        return None

    def _bring_back(self, now: Pass, source: int, why: str) -> list[Decision]:
        view = now.visit.view
        if view.form(source) is not OUT:
            return [self._decision(now, source, "recall", why)]
        moves: list[Decision] = []
        for turn in now.visit.gate.partners(now.visit.item(source).turn):
            for at in view.turn_items(turn):
                if view.form(at) is not OUT:
                    continue
                stub = None
                if at != source and now.visit.item(at).is_result:
                    stub = now.stub(at, "evict", TEXT.name, f"its turn came back with {now.visit.item(source).id}")
                if stub is not None and stub.form is STUB:
                    moves.append(stub)
                else:
                    detail = why if at == source else f"its turn came back with {now.visit.item(source).id}"
                    moves.append(self._decision(now, at, "recall", detail))
        return moves

    def _decision(self, now: Pass, at: int, action: str, detail: str) -> Decision:
        view = now.visit.view
        return Decision(action, TEXT.name, at, FULL, view.full_size(at), now.visit.item(at).units, detail=detail)
