"""Which transcript of a wire log is read: the main conversation, or another one; and what else is there?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.formats.body import unknown_name
from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.formats.named import named
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.stream import Record
from windowkeeper_cli.formats.unknown import Unknowns, counted
from windowkeeper_cli.formats.usage import total
from windowkeeper_cli.formats.wire.answer import Dialect
from windowkeeper_cli.formats.wire.conversations import Chain, Conversations, Exchange
from windowkeeper_cli.formats.wire.pair import Pair, pairs_of
from windowkeeper_cli.formats.wire.pool import Pool
from windowkeeper_cli.formats.wire.weaving import Weaving
from windowkeeper_cli.model.block import Other
from windowkeeper_cli.model.item import SYSTEM
from windowkeeper_cli.model.transcript import LogFacts, Subagent


def read_pairs(reading: Reading, dialect: Dialect) -> Draft:
    """Return the entries and events of the conversation that is asked for; raise UsageError where there is none."""
    return read_exchanges(reading, pairs_of(reading.records), dialect)


def read_exchanges(reading: Reading, told: Iterable[Pair | Record], dialect: Dialect, noun: str = "pair") -> Draft:
    """Do as `read_pairs` with the exchanges that a log tells in its own way; it calls one of them a `noun`."""
    unknown = Unknowns("unknown-record")
    pool = Pool()
    found = Conversations(pool)
    failed = 0
    for pair in told:
        if isinstance(pair, Pair):
            one = _exchange(pair, len(found.all), pool, dialect)
            failed += pair.failed and pair.sent
            found.add(one)
        else:
            name = unknown_name(pair.value)
            unknown.add(name, reading.where(pair.origin), pair.origin.line)
    chains = found.chains()
    names = [_name(chain, noun) for chain in chains]
    chosen = _chosen(names, reading.agent)
    path = found.path(chains[chosen]) if chains else found.all[-1:]
    draft = _woven(reading, pool, path)
    draft.findings += unknown.findings()
    draft.agent = None if chosen == 0 else names[chosen]
    listed = zip(chains[1:], names[1:], strict=True)
    draft.agents = tuple(_described(reading, found, chain, name) for chain, name in listed)
    draft.log = _facts(found, chains, unknown)
    draft.seen = _seen(found, chains, failed, path, noun)
    _count_blocks(reading, draft, dialect.known)
    return draft


def _exchange(pair: Pair, at: int, pool: Pool, dialect: Dialect) -> Exchange:
    entries = dialect.entries(pair)
    head = next((n for n, entry in enumerate(entries) if entry.role != SYSTEM), len(entries))
    numbers = [pool.number(entry) for entry in entries]
    answer = None if pair.failed else dialect.answer(pair.response)
    tools = compact(pair.body.get("tools"))
    one = Exchange(
        at, pair, tuple(numbers[:head]), tuple(numbers[head:]), -1, (tools, str(pair.body.get("model") or ""))
    )
    one.named = dialect.continues(pair)
    if answer is not None:
        one.reply = pool.number(dialect.reply(answer, pair))
        one.id, one.usage = answer.id, answer.usage
        one.model = answer.model or one.kind[1] or None
    return one


def _woven(reading: Reading, pool: Pool, path: Sequence[Exchange]) -> Draft:
    if not path:
        return Draft()
    weaving = Weaving(pool, [opened.name for opened in reading.files], path[0].system)
    for one in path:
        weaving.take(one)
    return Draft(entries=weaving.entries, events=tuple(weaving.events))


def _chosen(names: Sequence[str], agent: str | None) -> int:
    """Return the index of the conversation whose name is, or alone begins with, `agent`."""
    return 0 if agent is None else names.index(named(names, agent, "conversation"))


def _name(chain: Chain, noun: str) -> str:
    return f"{noun}-{chain.calls[0] + 1}"


def _described(reading: Reading, found: Conversations, chain: Chain, name: str) -> Subagent:
    first = found.all[chain.calls[0]].pair
    usage = total([found.all[at].usage for at in chain.calls])
    return Subagent(name, len(chain.calls), usage, reading.where(first.origin, first.place))


def _facts(found: Conversations, chains: Sequence[Chain], unknown: Unknowns) -> LogFacts:
    main = [found.all[at].usage for at in chains[0].calls] if chains else []
    side = [found.all[at].usage for chain in chains[1:] for at in chain.calls]
    return LogFacts(
        unmeasured=main.count(None),
        records=sum(one.pair.sent for one in found.all),
        main_calls=len(main),
        main_usage=total(main),
        side_calls=len(side),
        side_usage=total(side),
        unknown_records=unknown.counted(),
    )


def _seen(found: Conversations, chains: Sequence[Chain], failed: int, path: Sequence[Exchange], noun: str) -> str:
    """Return in words what the pairs are: those of the main conversation, of others, and those without a reply."""
    sent = [one for one in found.all if one.pair.sent]
    main = len(chains[0].calls) if chains else 0
    others = sum(len(chain.calls) for chain in chains[1:])
    told = [f"{counted(len(sent), noun)}, {counted(main, 'call')} in the main conversation"]
    if others:
        told.append(f"{counted(others, 'helper call')} in {len(chains) - 1} beside it")
    silent = sum(one.reply < 0 for one in sent) - failed
    if failed:
        told.append(f"{failed} failed")
    if silent > 0:
        told.append(f"{silent} without a message")
    changed = sum(one.system != path[0].system for one in path if one.pair.sent)
    if changed:
        told.append(f"{counted(changed, 'request')} with another system text than the first, which stands for all")
    return ", ".join(told)


def _count_blocks(reading: Reading, draft: Draft, known: frozenset[str]) -> None:
    blocks = Unknowns("unknown-block")
    for entry in draft.entries:
        for block in entry.blocks:
            if isinstance(block, Other) and block.kind not in known:
                origin = entry.origins[0]
                blocks.add(block.kind, reading.where(origin, entry.place), origin.line)
    draft.findings += blocks.findings()
