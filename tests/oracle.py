"""The naive reference engine: each visit from the transcript, the policy and the decisions so far; no cleverness.

Everything is rebuilt at every call: the window (`oracle_window`), who may not leave (`oracle_guards`), and what each
stage does (`oracle_stages`). Here is when they run, and what is said where they do not reach the target.
"""

from __future__ import annotations

from tests.oracle_stages import TRIM, Stages
from tests.oracle_window import Visited
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript


def run(transcript: Transcript, counts: Counts, settings: Settings) -> list[Visited]:
    """Return for every call its decision lines, its visit line, and (window, prefix, broken)."""
    past: list[Visited] = []
    dull: set[tuple[str, int]] = set()
    for _ in transcript.all_calls():
        past.append(Naive(transcript, counts, settings, past, dull).visit())
    return past


class Naive(Stages):
    """One visit."""

    def holds(self) -> dict[str, int]:
        sums: dict[str, int] = {}
        for reason, _, items in self.verdicts():
            sums[reason or TRIM] = sums.get(reason or TRIM, 0) + sum(self.size[at] for at in items)
        ours = sum(map(self.price, self.notices.values()))
        for name, tokens in (("system-envelope", self.tokens() - sum(sums.values()) - ours), ("stand-ins", ours)):
            if tokens:
                sums[name] = sums.get(name, 0) + tokens
        return dict(sorted(sums.items(), key=lambda pair: (-pair[1], pair[0])))

    def over(self, holds: dict[str, int]) -> None:
        """Say what holds the window, once in a stretch and when the rules change."""
        for lines, _, (tokens, _, _) in reversed(self.past):
            said = [line for line in lines if line["action"] == "over-limit"]
            if tokens <= self.limit:
                break
            if said:
                if set(said[-1]["holds"]) == set(holds):
                    return
                break
        inside = [at for ats in self.turns.values() for at in ats if self.form[at][0] is not Form.OUT]
        large = sorted(inside, key=lambda at: (-self.size[at], at))[:5]
        by_rule = ", ".join(f"{name} {tokens:,}" for name, tokens in holds.items())
        over = f"{self.tokens():,} tokens, {self.tokens() - self.limit:,} over the limit; held by {by_rule}"
        ids = [self.t.items[at].id for at in large]
        self.say("over-limit", "budget.max", large[0] if large else 0, over, holds=holds, largest=ids or None)

    def why(self) -> list[str]:
        tokens, pause, least = self.tokens(), self.pause(), self.s.budget.idle_seconds
        idle = ["idle"] if least is not None and pause is not None and pause >= least else []
        if tokens <= self.limit:
            return idle if tokens > self.target else []
        for _, visit, (sent, _, _) in reversed(self.past):
            triggers = visit["trigger"].split("+") if visit else []
            if "waiting" not in triggers or idle:
                grown = int(self.s.budget.backoff * self.limit)
                waits = "budget" in triggers and sent > self.limit and tokens < sent + grown and not idle
                return ["waiting"] if waits else ["budget", *idle]
        return ["budget", *idle]

    def pause(self) -> float | None:
        if not self.past or not self.items:
            return None
        at = self.t.all_calls()[len(self.past) - 1].at
        since = seconds(self.t.items[at].timestamp)
        times = [found for item in self.items[at + 1 :] if (found := seconds(item.timestamp)) is not None]
        now = times[-1] if times else None
        return None if since is None or now is None else now - since

    def visit(self) -> Visited:
        triggers, holds = list[str](), None
        if self.s.strategy == "windowkeeper":
            triggers, holds = self.stages()
        window = self.window(len(self.items))
        same = 0
        while window[same : same + 1] == self.sent[same : same + 1] and same < len(self.sent):
            same += 1
        differ = min([entry[0] // 2 for entry in (*self.sent[same : same + 1], *window[same : same + 1])], default=None)
        broken, unseen = same < len(self.sent), self.counter.label.unseen_prefix
        prefix = unseen + sum(entry[4] for entry in window[:same]) if self.past else 0
        lines, line = self.lines(), None
        if triggers and (triggers != ["idle"] or self.said):
            line = self.visit_line("+".join(triggers), lines, holds, differ if broken else None)
        return lines, line, (self.tokens(), prefix, broken)

    def stages(self) -> tuple[list[str], dict[str, int] | None]:
        self.resurface()
        triggers = ["resurface"] if self.said else []
        done, holds = len(self.said), None
        if self.s.expire.now:
            self.expire(now=True)
            triggers += ["expire"] if len(self.said) > done else []
        why = self.why()
        if why and why != ["waiting"]:
            self.replan()
            holds = self.holds() if self.tokens() > self.target else {}
            if self.tokens() > self.limit:
                self.over(holds)
        self.settle()
        return why + triggers, holds
