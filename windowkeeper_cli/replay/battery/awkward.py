"""Which sessions are awkward? Drawn ones with every shape that has broken a replay somewhere, in our own format.

Parallel batches, late, lost, doubled and orphaned results, reused ids, empty contents, messages of every role in every
place, pauses, flags, images, and text in many scripts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.replay.battery.draw import Draw

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


def session(r: Draw) -> Json:
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
    def __init__(self, r: Draw) -> None:
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
