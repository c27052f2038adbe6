"""What every rule, refusal reason, strategy and invariant means, in its own words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import get_close_matches

from windowkeeper_cli.guards import GUARDS
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.replay.acceptance import ACCEPTANCE
from windowkeeper_cli.replay.gaps import GAP_KINDS
from windowkeeper_cli.replay.invariants import INVARIANTS
from windowkeeper_cli.report.envelope import bare_envelope
from windowkeeper_cli.report.sheet import (
    DETAIL,
    TEXT,
    WORD,
    Block,
    Column,
    Command,
    Line,
    Lines,
    Part,
    Prose,
    Sheet,
    Table,
)
from windowkeeper_cli.rules import RULES
from windowkeeper_cli.strategies import OUTCOMES, STRATEGIES

FAMILIES = (RULES, GUARDS, OUTCOMES, STRATEGIES, INVARIANTS, ACCEPTANCE, GAP_KINDS)


def rule_names() -> tuple[str, ...]:
    """Return every name that has an entry, family by family; one that two families share comes once."""
    return tuple(dict.fromkeys(name for family in FAMILIES for name in family.names))


def rule_texts() -> tuple[RuleText, ...]:
    """Return every entry, family by family."""
    return tuple(family.module(name).TEXT for family in FAMILIES for name in family.names)


def texts_named(name: str) -> tuple[RuleText, ...]:
    """Return the entries called `name`; an invariant's number names it too. Raise UsageError naming the nearest."""
    number = name.removeprefix("invariant-").removeprefix("invariant ")
    found = [family.module(name).TEXT for family in FAMILIES if name in family.names]
    if not found and number.isascii() and number.isdecimal() and len(number) < 4:
        order = INVARIANTS.names
        if 1 <= int(number) <= len(order):
            found = [INVARIANTS.module(order[int(number) - 1]).TEXT]
    if not found:
        found = [text for text in rule_texts() if text.key == name]
    if not found:
        near = get_close_matches(name, rule_names(), 3, 0.4)
        todo = f"did you mean {' or '.join(near)}?" if near else "windowkeeper rules lists them"
        raise UsageError(f"no rule {name}", todo)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Rules:
    """The report `rules`: the list, or with `chosen` whole entries."""

    texts: tuple[RuleText, ...]
    chosen: bool

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "rules"

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        return bare_envelope("rules", {"rules": [_facts(text) for text in self.texts]})

    def table(self) -> Table:
        """Return one row for each entry."""
        columns = (
            Column("name", "name", WORD),
            Column("kind", "kind", WORD),
            Column("key", "policy key", WORD),
            Column("what", "what", TEXT),
            Column("why", "why", TEXT),
            Column("source", "source", TEXT),
        )
        rows = tuple((text.name, text.kind, text.key, text.what, text.why, text.source) for text in self.texts)
        return Table(columns, rows)

    def lines(self) -> None:
        """Return None: `rules` has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the list by family, or the entries in full."""
        if self.chosen:
            blocks = [block for text in self.texts for block in _entry(text)]
            return Sheet(tuple(blocks), next=(Command(("windowkeeper", "rules")),))
        columns = (
            Column("name", "name", WORD),
            Column("key", "policy key", WORD),
            Column("what", "what", DETAIL),
        )
        kinds = dict.fromkeys(text.kind for text in self.texts)
        tables = tuple(
            Table(
                columns,
                tuple((text.name, text.key, text.what) for text in self.texts if text.kind == kind),
                plural(kind),
            )
            for kind in kinds
        )
        return Sheet(tables, next=(Command(("windowkeeper", "rules", self.texts[0].name)),))


def plural(kind: str) -> str:
    """Return the heading over the entries of a kind."""
    return kind.removesuffix("y") + "ies" if kind.endswith("y") else f"{kind}s"


def _entry(text: RuleText) -> Iterator[Block]:
    lines: list[Line] = [Line(text.kind, ((text.name,),)), Line("what", ((text.what,),)), Line("why", ((text.why,),))]
    lines += [Line("policy key", ((text.key,),))] if text.key else []
    lines += [Line("source", ((text.source,),))] if text.source else []
    yield Lines(tuple(lines))
    if text.example is not None:
        yield Prose(_example(text.example), "example", as_is=True)
        yield Lines((Line("shows", (_expectation(text.example),)),))


def _example(example: Example) -> str:
    messages = example.transcript.get("messages")
    rest = {key: value for key, value in example.transcript.items() if key != "messages"}
    lines = [f"transcript {_json(rest)}" if rest else "transcript"]
    lines += [f"  {number:>2}  {_short(message)}" for number, message in enumerate(_listed(messages))]
    lines.append(f"policy {_json(example.policy)}")
    return "\n".join(lines)


def _listed(messages: object) -> list[object]:
    return messages if isinstance(messages, list) else []


def _short(message: object) -> str:
    text = _json(message)
    return text if len(text) <= 160 else text[:120] + f" ... {len(text) - 150:,} characters ... " + text[-30:]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _expectation(example: Example) -> Part:
    word, at = example.expect
    if at < 0:
        return ("nothing leaves",)
    if example.refused:
        return (f"item {at} is refused by {word}",)
    return (f"the decision {word} on item {at}",)


def _facts(text: RuleText) -> dict[str, object]:
    example = text.example
    return {
        "name": text.name,
        "kind": text.kind,
        "what": text.what,
        "why": text.why,
        "key": text.key or None,
        "source": text.source or None,
        "example": None
        if example is None
        else {
            "transcript": example.transcript,
            "policy": example.policy,
            "expect": list(example.expect),
            "refused": example.refused,
        },
    }
