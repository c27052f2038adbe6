"""Awkward sessions and policies, drawn by a seed or by hypothesis; each is plain data in our own formats.

Every shape that has broken a replay somewhere is drawn: parallel batches, late, lost, doubled and orphaned results,
reused ids, empty contents, messages of every role in every place, pauses, flags, images, and text in many scripts.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import strategies as st

from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.policy import Strategies, load_policy
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.tokens.chars import count

Json = dict[str, Any]
TOOLS = ("read_file", "bash", "grep", "plan")
NAMES = (
    "src/auth/redis.ts", "docs/ops/run-book.md", "build.log", "https://ci.acme.dev/run/7", "deadbeef01", "JIRA-1234",
    "cache::evict", "max_retry_count", "`q-7`", "src/データ/表.csv", "lib/retry.py", "tests/auth/redis.ts",
)  # fmt: skip
ODD = (
    "", " ", "ok", "x" * 7, "a\r\nb", "\r\n" * 9, "e\u0301" * 40, "👩‍👩‍👧‍👦" * 12, "漢字かな交じり文" * 20, "🇫🇷🇩🇪" * 10,
    "lone \ud83d high", "low \udc00 lone", "nul \x00 byte", "\x1b[31mred\x1b[0m", "\u202eabc\u202c", "[bold]x[/]",
    'he said "recall(\\"000000000000\\")"', "[dropped history: no]", "\u2028line\u2029par", "é" * 300,
)  # fmt: skip
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
MINUTES = (0, 0, 1, 2, 7, 90)


class Case(NamedTuple):
    """One drawn session with its policy, as loaded."""

    document: Json
    policy: Json
    transcript: Transcript
    counts: Counts
    settings: Settings


def by_seed(seed: int) -> Case:
    """Return the case of a seed: the same on every machine."""
    return case_of(random.Random(f"windowkeeper {seed}"))


def cases() -> st.SearchStrategy[Case]:
    """Return hypothesis's way to draw a case."""
    return st.builds(case_of, st.randoms(use_true_random=False))


def case_of(r: random.Random) -> Case:
    """Return a case drawn from `r`."""
    document, policy = session(r), policy_of(r)
    transcript = loaded(document)
    counts = count(transcript, r.choice(("1", "4", "4", "2.7")))
    return Case(document, policy, transcript, counts, settings(policy))


def loaded(document: Json) -> Transcript:
    """Return a document in our own format as a transcript."""
    return loads(json.dumps(document).encode(), "generated.json", from_="windowkeeper")


def settings(policy: Json) -> Settings:
    """Return the settings of a policy as it would stand in a file; raises PolicyError where it is wrong."""
    strategies = Strategies(STRATEGIES.names, lambda name: STRATEGIES.module(name).READS)
    return load_policy(json.dumps(policy).encode(), "policy.json", strategies=strategies).settings


def session(r: random.Random) -> Json:
    """Return a session of up to some dozens of messages in our own format."""
    draw = _Session(r)
    for _ in range(r.choice((0, 1, 2))):
        draw.say("system", r.choice(("You audit deployments.", "Never push to main.", *ODD)))
    for _ in range(r.choice((1, 2, 8, 20, 45, 60))):
        r.choices(draw.kinds, draw.weights)[0]()
    top: Json = {"format": "windowkeeper/1", "messages": draw.messages or [{"role": "user", "content": ""}]}
    if r.random() < 0.2 and draw.used:
        top["paused"] = {"toolCallId": r.choice(draw.used), "checkIn": r.random() < 0.5}
    if r.random() < 0.1 and draw.asked:
        top["request"] = r.choice(draw.asked)
    return top


class _Session:
    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.messages: list[Json] = []
        self.used: list[str] = []
        self.asked: list[str] = []
        self.named: list[str] = []
        self.late: list[Json] = []
        self.minute = 0
        self.timed = r.random() < 0.5
        self.kinds: list[Callable[[], None]] = [self.batch, self.ask, self.prose, self.middle, self.orphan, self.pay]
        self.weights = r.choice(
            ((12, 3, 1, 0, 0, 1), (10, 3, 2, 1, 1, 2), (20, 1, 0, 0, 0, 0), (8, 8, 2, 1, 1, 1), (9, 4, 0, 0, 0, 0))
        )

    def say(self, role: str, content: Any, **more: Any) -> None:
        """Append a message, dated where this session is."""
        message = {"role": role, "content": content, **more}
        if self.timed and self.r.random() < 0.9:
            self.minute += self.r.choice(MINUTES)
            message["time"] = (
                f"2026-11-{20 + self.minute // 1440:02}T{self.minute // 60 % 24:02}:{self.minute % 60:02}:00Z"
            )
        self.messages.append(message)

    def ask(self) -> None:
        """A person's message, now and then injected, long, or with no text."""
        known = tuple(dict.fromkeys(self.named)) or NAMES
        names = " and ".join(self.r.sample(known, min(self.r.choice((0, 1, 1, 2, 6)), len(known))))
        text = self.r.choice((f"Look at {names}", f"{names}?", f"Now fix {names} {self.text()}", *ODD, "Check d1"))
        self.asked.append(text)
        flags = self.flags()
        if self.r.random() < 0.2:
            flags["injected"] = True
        self.say("user", self.r.choice((text, text, [{"type": "text", "text": text}, IMAGE])), **flags)

    def prose(self) -> None:
        """An assistant's message without calls."""
        self.say("assistant", self.r.choice((None, "done", f"I saw {self.name()}", *ODD)), **self.flags())

    def middle(self) -> None:
        """System text in the middle."""
        self.say("system", self.r.choice(("Mind staging.", "Always ask first.", "")), **self.flags())

    def orphan(self) -> None:
        """A result that answers nothing, or answers once more."""
        known = self.used and self.r.random() < 0.6
        self.say("tool", self.text(), toolCallId=self.r.choice(self.used) if known else "nobody", **self.flags())

    def pay(self) -> None:
        """Late results, all that are owed."""
        for message in self.late:
            self.say(**message)
        self.late = []

    def batch(self) -> None:
        """An assistant's message with calls, and most of their results."""
        calls, results = [], []
        for _ in range(self.r.choice((1, 1, 1, 2, 3))):
            reused = self.used and self.r.random() < 0.06
            ident = self.r.choice(self.used) if reused else f"c{len(self.used) + 1}"
            self.used.append(ident)
            self.named.append(self.name())
            args = self.r.choice(({"path": self.named[-1]}, {"command": f"cat {self.named[-1]}", "timeout": 5}, {}))
            calls.append({"id": ident, "name": self.r.choice(TOOLS), "args": args})
            results.append({"role": "tool", "content": self.content(), "toolCallId": ident, **self.flags()})
        self.say("assistant", self.r.choice(("", None, "Reading.", self.text())), toolCalls=calls, **self.flags())
        if self.r.random() < 0.1:
            self.r.shuffle(results)
        for result in results:
            fate = self.r.random()
            if fate < 0.05:
                self.late.append(result)
            elif fate < 0.96:
                self.say(**result)
                if fate < 0.07:
                    self.say(**result)

    def flags(self) -> Json:
        """Author's flags, mostly none."""
        r, flags = self.r, Json()
        for chance, key, value in (
            (0.06, "isError", True), (0.02, "pinned", True), (0.02, "task", True), (0.02, "effect", "irreversible"),
            (0.05, "tags", [r.choice(("decision", "scratch", "log"))]), (0.05, "ttlTurns", r.choice((0, 1, 3))),
        ):  # fmt: skip
            if r.random() < chance:
                flags[key] = value
        return flags

    def content(self) -> Any:
        """A result's content: text, blocks, images, nothing."""
        text = self.text()
        return self.r.choice(
            (
                text,
                text,
                text,
                text,
                None,
                [],
                [{"type": "text", "text": text}, IMAGE, {"type": "text", "text": "end"}],
                [IMAGE],
                [text, self.text()],
            )
        )

    def text(self) -> str:
        """Text of any size and script, with names in it."""
        r = self.r
        line = r.choice((f"line of {self.name()} ", "log line ", "log line ", f"{r.randrange(10**6)}\n", r.choice(ODD)))
        return line * r.choice((0, 1, 3, 10, 40, 120, 400 if len(line) < 40 else 2))

    def name(self) -> str:
        """A name that requests use as well."""
        return self.r.choice(NAMES)


def policy_of(r: random.Random) -> Json:
    """Return a policy over every key that the reducer reads, mostly far too small."""
    limit = r.choice((40, 300, 1_000, 3_000, 8_000, 8_000))
    reserve = r.choice((0, 0, 17))
    budget: Json = {"max": limit + reserve, "reserve": reserve, "target": r.choice((None, 0, limit // 4, limit))}
    budget |= {"stopAtTarget": r.random() < 0.8, "backoff": r.choice((0, 0.1, 0.1, 2))}
    budget["idleSeconds"] = r.choice((None, None, 60, 300, 0.5))
    tools: Json = {"maxTokensEach": r.choice((1, 30, 80, 300)), "evictAfterTurns": r.choice((0, 1, 3, 8))}
    tools |= {"keepHead": r.choice((0.7, 0, 0.99)), "truncateRecent": r.random() < 0.7, "keepErrors": r.random() < 0.7}
    tools["keepTail"] = 0 if tools["keepHead"] == 0.99 else r.choice((0.24, 0, 0.29))
    tools |= {"keepErrorsTurns": r.choice((False, 0, 2, 30)), "keepLatestPerTool": r.choice((0, 0, 1, 2))}
    tools["excludeTools"] = r.choice(([], [], ["plan"], ["plan", "bash"]))
    protect: Json = {"latestUserTurns": r.choice((0, 1, 1, 2)), "recentTurns": r.choice((0, 1, 2, 6))}
    protect |= {"pinned": r.random() < 0.8, "tags": r.choice((["decision"], [], ["decision", "log"]))}
    protect |= {"patterns": r.choice(([], [], ["(?i)never"], ["^Look", "always"])), "task": r.random() < 0.3}
    expire: Json = {"now": r.random() < 0.2, "tools": r.choice(({}, {"grep": 0}, {"bash": 3, "plan": 1}))}
    expire["tags"] = r.choice(({}, {"scratch": 1, "log": 0}))
    resurface: Json = {"identifiers": r.random() < 0.85, "maxItems": r.choice((0, 1, 2, 4, 4, 4))}
    if r.random() < 0.35:  # little is kept and the limit is roomy, so that much leaves and can come back
        budget |= {"max": r.choice((1_500, 4_000)), "reserve": 0, "target": None}
        tools |= {
            "keepLatestPerTool": 0,
            "excludeTools": [],
            "keepErrors": False,
            "evictAfterTurns": r.choice((0, 2, 99)),
        }
        protect |= {"recentTurns": 1, "tags": []}
        resurface = {"identifiers": True, "maxItems": 4}
    policy: Json = {"budget": budget, "toolResults": tools, "protect": protect, "expire": expire}
    return policy | {"resurface": resurface, "trim": {"enabled": r.random() < 0.85}}
