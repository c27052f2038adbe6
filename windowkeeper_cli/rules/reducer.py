"""The reducer: the stages of one visit, in order."""

from __future__ import annotations

from collections.abc import Generator

from windowkeeper_cli.model.decision import SAYING, Decision, Proposal, TakeOut
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.rules.evict import Evict
from windowkeeper_cli.rules.expire import Expire
from windowkeeper_cli.rules.over_limit import Holds, OverLimit, what_holds
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.resurface import Resurface
from windowkeeper_cli.rules.trim import Trim
from windowkeeper_cli.rules.truncate import Truncate
from windowkeeper_cli.rules.truncate_recent import truncate_recent
from windowkeeper_cli.rules.visit import Facts, Moves, Plan, Visit


class Reducer:
    """What the stages remember from call to call; the window itself is the standing plan."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._told: set[int] = set()
        self._resurface = Resurface()
        self._expire = Expire()
        self._truncate = Truncate()
        self._evict = Evict()
        self._trim = Trim()
        self._over_limit = OverLimit()
        self._wait_until: int | None = None
        self._limit, self._goal = settings.budget.limit, settings.budget.goal

    @property
    def walked(self) -> int:
        """Return how many candidates the stages have looked at so far."""
        return self._truncate.candidates.walked + self._evict.candidates.walked

    def plan(self, visit: Visit) -> Plan:
        """Propose the moves of one visit; each sees the effect of those before it."""
        budget = self._settings.budget
        self._expire.note(visit.view.items[visit.new.start : visit.new.stop], self._settings.expire)
        if self._nothing_to_do(visit):
            return None
        now = Pass(visit, self._limit, self._goal, self._told)
        newest = visit.item(visit.view.held - 1).turn if visit.view.held else -1
        self._expire.advance(newest)
        triggers: list[str] = []
        acted = yield from _counted(now, self._resurface.step(now, self._came_back(visit)))
        if acted:
            triggers.append("resurface")
        if self._settings.expire.now:
            expired = yield from _counted(now, self._expire.step(now, newest, at_once=True))
            if expired:
                triggers.append("expire")
        why = self._why_replan(now)
        triggers[:0] = why
        holds: Holds | None = None
        if "budget" in why or "idle" in why:
            acted += yield from _counted(now, self._replan(now, newest))
            holds = what_holds(visit) if now.over_target else ()
            self._wait_until = visit.view.tokens + int(budget.backoff * budget.limit) if now.over_limit else None
        else:
            yield from self._trim.settle(visit)
        now.settle()
        yield from self._over_limit.step(now, holds)
        if not triggers or (triggers == ["idle"] and not acted):
            return None
        return Facts(
            tuple(triggers),
            limit=budget.limit,
            target=budget.goal,
            replanned=holds is not None,
            refusals=tuple(now.refusals),
            target_missed=holds or (),
        )

    def _nothing_to_do(self, visit: Visit) -> bool:
        """Return whether no stage can act: nearly every visit is such a one, and should cost next to nothing."""
        budget, tokens = self._settings.budget, visit.view.tokens
        if tokens > self._limit or self._settings.expire.now or self._resurface.is_due(visit):
            return False
        if budget.idle_seconds is not None and tokens > self._goal:
            return False
        self._wait_until = None
        self._over_limit.end_stretch()
        return True

    def _why_replan(self, now: Pass) -> list[str]:
        budget = self._settings.budget
        pause = None if budget.idle_seconds is None else now.visit.pause
        idle = budget.idle_seconds is not None and pause is not None and pause >= budget.idle_seconds
        if not now.over_limit:
            self._wait_until = None
            return ["idle"] if idle and now.over_target else []
        if idle:
            return ["budget", "idle"]
        if self._wait_until is not None and now.visit.view.tokens < self._wait_until:
            return ["waiting"]
        return ["budget"]

    def _replan(self, now: Pass, newest: int) -> Moves:
        visit, tools = now.visit, self._settings.tool_results
        keep_from = first_of_turn(visit, newest - self._settings.protect.recent_turns + 1)
        yield from self._expire.step(now, newest, at_once=not self._settings.budget.stop_at_target)
        yield from self._truncate.step(now, keep_from)
        yield from self._evict.step(now, first_of_turn(visit, newest - tools.evict_after_turns), newest)
        if self._settings.trim.enabled and now.over_target:
            yield from self._trim.step(now)
        yield from self._trim.settle(visit)
        if tools.truncate_recent and now.over_limit:
            yield from truncate_recent(now, keep_from)

    def _came_back(self, visit: Visit) -> Came:
        return Came(self._trim, self._truncate, self._evict, self._expire, visit)


class Came:
    """Tells the stages that an item is back, so that a later re-plan may take it again."""

    def __init__(self, trim: Trim, truncate: Truncate, evict: Evict, expire: Expire, visit: Visit) -> None:
        self._trim, self._truncate, self._evict, self._expire, self._visit = trim, truncate, evict, expire, visit

    def __call__(self, at: int) -> None:
        """Offer the item at `at` to every stage that may take it."""
        self._trim.returned(self._visit.item(at).turn)
        self._truncate.candidates.again(at)
        self._evict.candidates.again(at)
        self._expire.again(at)


def first_of_turn(visit: Visit, turn: int) -> int:
    """Return the position of a turn's first item; before the first turn the envelope's end, past the last the end."""
    if turn < 0:
        return visit.view.turn_items(0).start
    return visit.view.turn_items(turn).start


def _counted(now: Pass, moves: Moves) -> Generator[Proposal, None, int]:
    """Pass the moves of one stage on, note what they move, and return how many there were."""
    count = 0
    for move in moves:
        if isinstance(move, TakeOut):
            count += len(move.items)
            now.moved.update(move.items)
            yield move
            continue
        count += 1
        if isinstance(move, Decision) and move.action not in SAYING:
            now.moved.add(move.at)
        yield move
    return count
