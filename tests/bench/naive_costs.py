"""What each call costs, from the naive lines alone: windows as lists, every figure a sum over them (spec/7)."""

from __future__ import annotations

import re
from typing import Any

from tests.naive_window import Visited
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import FORM_AFTER, Form
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript

Place = tuple[Any, ...]
"""(slot, form, text, cut) of an item; a text of ours has (stands, text) for its text and its id for its cut."""
IN_FULL = (Form.FULL, None, None)
WORDS = re.compile(r"[^A-Za-z0-9_.:-]+", re.ASCII)
BY_VISIT = ("recorded", "tiered", "sliding-tokens", "clear-tool-results")
"""Strategies whose every visit is a re-plan; the reducer's are those over the budget or after a pause."""


def ours(slot: int, stands: str, ident: str, text: str) -> Place:
    return slot, "ours", (stands, text), ident


def standing_after(visited: list[Visited]) -> tuple[dict[int, Place], dict[int, Place]]:
    """Return what stands in another form than full, by position, and the texts of ours, by slot."""
    forms: dict[int, Place] = {}
    texts: dict[int, Place] = {}
    for lines, _, _ in visited:
        for line in lines:
            if line["action"] == "insert":
                texts[line["slot"]] = ours(line["slot"], line["stands"], line["item"], line["text"])
            elif line["action"] == "retract":
                del texts[line["slot"]]
            elif (form := FORM_AFTER[line["action"]]) is not None:
                forms[line["at"]] = (form, line.get("text"), tuple(line["cut"]) if "cut" in line else None)
    return {at: one for at, one in forms.items() if one[0] is not Form.FULL}, texts


def window_of(forms: dict[int, Place], texts: dict[int, Place], held: int) -> list[Place]:
    """Return the places of a window over the first `held` items, in order."""
    items = [(2 * at + 1, *forms.get(at, IN_FULL)) for at in range(held)]
    return sorted([*(one for one in items if one[1] is not Form.OUT), *texts.values()], key=lambda one: one[0])


class NaiveCosts:
    """The costs of one session; `ttl` is the cache's lifetime in seconds."""

    def __init__(
        self, t: Transcript, counts: Counts, s: Settings, visited: list[Visited], windows: list[list[Place]],
        ttl: float | None,
    ) -> None:  # fmt: skip
        self.t, self.counts, self.s, self.visited, self.windows, self.ttl = t, counts, s, visited, windows, ttl
        self.sizes: dict[Place, int] = {}
        self.rows = [self.row(n) for n in range(len(t.calls))]
        for before, row in zip((None, *self.rows), self.rows, strict=False):
            row["step"] = row["window"] - (before["window"] if before else 0)

    def size(self, place: Place) -> int:
        if place not in self.sizes:
            slot, form, text, cut = place
            if form is Form.FULL:
                self.sizes[place] = self.counts.tokens[slot // 2]
            else:
                own = (Text(text[1]),) if form == "ours" else blocks_in_form(self.t.blocks(slot // 2), form, text, cut)
                self.sizes[place] = self.counts.counter.blocks(own)
        return self.sizes[place]

    def row(self, n: int) -> dict[str, Any]:
        call, (lines, visit, _) = self.t.calls[n], self.visited[n]
        now, sent = self.windows[n], self.windows[n - 1] if n else []
        same = 0
        while same < min(len(now), len(sent)) and now[same] == sent[same]:
            same += 1
        unseen = self.counts.counter.label.unseen_prefix
        window, prefix = (unseen + sum(map(self.size, part)) for part in (now, now[:same]))
        over, prefix = window > (self.limit() or window), prefix if n else 0
        pause = self.pause(n)
        expired = self.ttl is not None and pause is not None and pause > self.ttl
        cached = 0 if expired else prefix
        usage = call.usage if self.s.strategy == "recorded" else None
        if usage:
            window, cached, expired = usage.input + usage.cache_read + usage.cache_write, usage.cache_read, False
            prefix = cached
        moved = [line for line in lines if line["action"] not in ("keep", "not-smaller", "over-limit")]
        forms, texts = standing_after(self.visited[: n if visit else n + 1])
        return {
            "call": n + 1, "window": window, "prefix": prefix, "cached": cached, "expired": expired,
            "invalidation": same < len(sent), "replan": self.replanned(n), "over_limit": over,
            "target_missed": bool(visit and "targetMissed" in visit), "new": len(moved) if visit else 0,
            "recalls": sum(line["action"] == "recall" for line in moved) if visit else 0,
            "in_force": len(forms) + len(texts), "reported": usage is not None,
            "request_lost": call.anchor >= 0 and (2 * call.anchor + 1, *IN_FULL) not in now,
        }  # fmt: skip

    def limit(self) -> int | None:
        """Return the tokens that a strategy should keep its window under, as its policy says."""
        if self.s.strategy in ("none", "windowkeeper"):
            return self.s.budget.max - self.s.budget.reserve
        if self.s.strategy == "tiered":
            return round(self.s.tiered.limit * self.s.tiered.target_share)
        return self.s.sliding_tokens.max_tokens if self.s.strategy == "sliding-tokens" else None

    def replanned(self, n: int) -> bool:
        visit = self.visited[n][1]
        triggers = visit["trigger"].split("+") if visit else []
        if self.s.strategy == "windowkeeper":
            return "budget" in triggers or "idle" in triggers
        return visit is not None and self.s.strategy in BY_VISIT

    def pause(self, n: int) -> float | None:
        """Return seconds from the last reply to the newest dated item that came after it."""
        if not n:
            return None
        reply = self.t.calls[n - 1].at
        times = [seconds(item.timestamp) for item in self.t.items[reply : self.t.calls[n].at]]
        known = [time for time in times[1:] if time is not None]
        return known[-1] - times[0] if known and times[0] is not None else None

    def totals(self) -> dict[str, Any]:
        """Return the sums, and what the window after the last call has lost."""
        rows, prices = self.rows, self.s.prices
        cached, window = ([row[name] for row in rows] for name in ("cached", "window"))
        weighted = [c * prices.cache_read + (w - c) * prices.cache_write for c, w in zip(cached, window, strict=True)]
        names = ("expired", "over_limit", "target_missed", "recalls", "request_lost", "reported")
        counted: dict[str, Any] = {name: sum(row[name] for row in rows) for name in names}
        there = {place[0] for place in self.windows[-1] if place[1] is Form.FULL}
        gone = [item for item in self.t.items if 2 * item.at + 1 not in there]
        return counted | {
            "calls": len(rows), "window": sum(window), "cached": sum(cached), "cost_weighted": sum(weighted),
            "first_window": sum(window[:1]), "first_cached": sum(cached[:1]), "peak": max(window, default=0),
            "invalidations": sum(row["invalidation"] for row in rows), "replans": sum(row["replan"] for row in rows),
            "items_lost": len({item.id for item in gone} - self.named() - self.copies(there)),
            "observations_left": sum(item.role == "tool" for item in gone),
            "steps": [row["step"] for row in rows[1:] if row["step"] >= 0],
        }  # fmt: skip

    def copies(self, there: set[int]) -> set[str]:
        return {item.id for item in self.t.items if 2 * item.at + 1 in there}

    def named(self) -> set[str]:
        """Return the ids that texts in the last window name: as words of ours, in an item's own, or on a list."""
        found: set[str] = set()
        for slot, form, text, ident in self.windows[-1]:
            if form == "ours":
                found |= {*WORDS.split(text[1])} | (self.listed(ident) if ident in text[1] else set())
            elif form is not Form.FULL and text and self.t.items[slot // 2].id in text:
                found.add(self.t.items[slot // 2].id)
        return found

    def listed(self, ident: str) -> set[str]:
        """Return the ids of what left whole at a call after which a text stood that names this list."""
        found: set[str] = set()
        for (lines, _, _), window in zip(self.visited, self.windows, strict=True):
            texts = [place[2][1] for place in window if place[1] == "ours" and place[3] == ident]
            if any(ident in text for text in texts):
                found |= {line["item"] for line in lines if line["action"] in ("trim", "fold")}
        return found
