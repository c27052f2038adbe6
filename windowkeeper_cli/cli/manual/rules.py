"""What does the page windowkeeper-rules(7) say? Every rule, reason, strategy, invariant and kind of gap."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.cli.manual.page import Block, Listed, Page, Ref, Section, See, Text, page
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.acceptance import ACCEPTANCE
from windowkeeper_cli.replay.acceptance.providers import PROVIDERS
from windowkeeper_cli.report.rules import plural, rule_texts

INTRODUCTIONS = {
    "rule": "A decision names the rule that moved the item: the policy key that governs it.",
    "refusal reason": "A turn or an item that was asked to leave and stayed names one of these.",
    "strategy": "A policy names one of these; windowkeeper policy list shows what each begins with.",
    "invariant": "windowkeeper check asks for these at every call. A strategy names those that it gives up.",
    "acceptance rule": "A provider would refuse a window that breaks one of these.",
    "gap kind": "A call that used something whose sources had all left is a gap of one of these kinds.",
}
"""What is said of each kind before its entries."""


def rules_page(ref: Ref) -> Page:
    """Return the page."""
    texts = rule_texts()
    kinds = dict.fromkeys(text.kind for text in texts)
    return page(
        ref,
        "rules, refusal reasons, strategies, invariants, acceptance rules and gap kinds",
        Section("DESCRIPTION", (Text(_INTRODUCTION),)),
        *(Section(plural(kind).upper(), tuple(_blocks(kind, texts))) for kind in kinds),
        Section(
            "SEE ALSO", (See((Ref("windowkeeper", 1), Ref("windowkeeper-rules", 1), Ref("windowkeeper-policy", 5))),)
        ),
    )


_INTRODUCTION = (
    "Each name below is one that a report shows. An entry says what it means, why it is there, and which key of the "
    "policy governs it. windowkeeper rules NAME shows an example that runs."
)


def _blocks(kind: str, texts: tuple[RuleText, ...]) -> Iterator[Block]:
    yield Text(INTRODUCTIONS[kind])
    if kind == ACCEPTANCE.kind:
        yield Text(f"windowkeeper check --provider takes: {', '.join(PROVIDERS)}.")
    yield Listed(tuple((text.name, _entry(text)) for text in texts if text.kind == kind))


def _entry(text: RuleText) -> str:
    key = f" Policy key: {text.key}." if text.key and text.key != text.name else ""
    source = f" Source: {text.source}." if text.source else ""
    return f"{text.what} {text.why}{key}{source}"
