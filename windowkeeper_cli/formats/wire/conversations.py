"""Which call of a wire log continues which? A request continues the call whose reply it repeats.

Other calls share its beginning and lead nowhere (titles, suggestions, retries), or share nothing (subagents).
"""

from __future__ import annotations

from dataclasses import dataclass

from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.formats.wire.pool import Loose, Pool
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, TOOL
from windowkeeper_cli.model.value import NamedTuple

CONTINUED = ("This session is being continued from a previous conversation",)
"""How a request begins whose harness folded all before into a summary."""


@dataclass
class Exchange:
    """One request and its reply, as numbers of a pool; `reply` is -1 where none came.

    `parent` is the exchange that it continues, -1 where it begins; `named` is the one that it says it continues.
    `folds` marks a request that holds nothing of it but a summary. `kind` is what calls of one conversation have in
    common: the tools and the model asked for.
    """

    at: int
    pair: Pair
    system: tuple[int, ...]
    sent: tuple[int, ...]
    reply: int
    kind: tuple[str, str]
    id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    parent: int = -1
    named: int = -1
    folds: bool = False


class Chain(NamedTuple):
    """A line of exchanges, each continuing the one before; `stem` is the exchange that the first continues."""

    stem: int
    calls: tuple[int, ...]


class Conversations:
    """Takes the exchanges in their order and finds what each continues."""

    def __init__(self, pool: Pool) -> None:
        self.all: list[Exchange] = []
        self._pool = pool
        self._by_reply: dict[Loose, list[int]] = {}
        self._same: dict[tuple[tuple[int, ...], tuple[str, str]], int] = {}

    def add(self, one: Exchange) -> None:
        """Take the next exchange."""
        one.parent = self._parent(one)
        self.all.append(one)
        if one.reply < 0:
            return
        sign = self._pool.sign(one.reply)
        if sign is not None:
            self._by_reply.setdefault(sign, []).append(one.at)
        self._same[one.sent, one.kind] = one.at

    def _parent(self, one: Exchange) -> int:
        if one.named >= 0:
            named = self.all[one.named]
            return named.at if named.reply >= 0 else named.parent
        by_reply = self._repeated(one)
        if by_reply >= 0:
            return by_reply
        same = self._same.get((one.sent, one.kind))
        if same is not None:
            return self.all[same].parent
        shared = self._sharing(one)
        return shared if shared >= 0 else self._folded(one)

    def _repeated(self, one: Exchange) -> int:
        """Return the latest call whose reply the request repeats, that which shares the most where several fit.

        A reply alone is a sign only among calls of one kind: two models may well say the same. A message of the
        model's that no call gave, behind the whole request of one, is that one's reply in another form.
        """
        held = set(one.sent)
        for n in reversed(range(len(one.sent))):
            number = one.sent[n]
            if self._pool.entries[number].role != ASSISTANT:
                continue
            sign = self._pool.sign(number)
            fits = self._by_reply.get(sign, ()) if sign is not None else ()
            signs = ((self._overlap(at, held), self.all[at].kind == one.kind, at) for at in fits)
            shared, kind, best = max(signs, default=(0, False, -1))
            if shared or kind:
                return best
            grown = self._same.get((one.sent[:n], one.kind), -1)
            if grown >= 0:
                return grown
        return -1

    def _overlap(self, at: int, held: set[int]) -> int:
        return sum(number in held for number in self.all[at].sent)

    def _sharing(self, one: Exchange) -> int:
        """Return the latest call of the same kind whose whole request, or the most of it, the request repeats."""
        held = set(one.sent)
        best = (0, -1)
        for other in self.all:
            if other.reply >= 0 and other.kind == one.kind:
                known = [number for number in other.sent if number in held]
                told = any(self._pool.entries[number].role in (ASSISTANT, TOOL) for number in known)
                if told or one.sent[: len(other.sent)] == other.sent:
                    best = max(best, (len(known), other.at))
        return best[1] if best[0] else -1

    def _folded(self, one: Exchange) -> int:
        """Return the call after which the harness went on from a summary, -1 where nothing says so."""
        first = next((n for n in one.sent if self._pool.entries[n].role not in (SYSTEM, TOOL)), None)
        if first is None:
            return -1
        text = self._pool.text(first)
        wrote = next((x for x in reversed(self.all) if x.reply >= 0 and self._quotes(text, x.reply)), None)
        if wrote is None and not text.startswith(CONTINUED):
            return -1
        one.folds = True
        asked = -1 if wrote is None else wrote.parent
        if asked >= 0:
            return asked
        return max((x.at for x in self.all if x.reply >= 0 and x.kind == one.kind and x is not wrote), default=-1)

    def _quotes(self, text: str, reply: int) -> bool:
        telling = self._pool.telling(reply)
        return bool(telling) and all(line in text for line in telling)

    def chains(self) -> list[Chain]:
        """Return the main conversation first, then what left it or stands beside it, by the first call of each.

        The main one has the most calls, the first of several. Of two ways on, the longer is the conversation; of
        two that lead nowhere, the later.
        """
        length = [int(one.reply >= 0) for one in self.all]
        onward = [-1] * len(self.all)
        for one in reversed(self.all):
            up = one.parent
            if one.reply >= 0 and up >= 0 and length[one.at] + 1 > length[up]:
                length[up], onward[up] = length[one.at] + 1, one.at
        heads = [one for one in self.all if one.reply >= 0 and (one.parent < 0 or onward[one.parent] != one.at)]
        made = [self._chain(one, onward) for one in heads]
        roots = [chain for chain in made if chain.stem < 0]
        if not roots:
            return []
        main = max(roots, key=lambda chain: (len(chain.calls), -chain.calls[0]))
        return [main, *(chain for chain in made if chain is not main)]

    def _chain(self, head: Exchange, onward: list[int]) -> Chain:
        calls = [head.at]
        while onward[calls[-1]] >= 0:
            calls.append(onward[calls[-1]])
        return Chain(head.parent, tuple(calls))

    def path(self, chain: Chain) -> list[Exchange]:
        """Return the exchanges of a chain from the very first call on, with a last one that failed."""
        before: list[int] = []
        at = chain.stem
        while at >= 0:
            before.append(at)
            at = self.all[at].parent
        path = [self.all[at] for at in (*reversed(before), *chain.calls)]
        last = path[-1].at
        failed = [one for one in self.all[last + 1 :] if one.reply < 0 and one.parent == last]
        return [*path, *failed[-1:]]
