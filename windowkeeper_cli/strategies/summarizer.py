"""Summarizers: where a summary's text comes from when no model may be asked."""

from __future__ import annotations

from typing import Protocol

from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.counter import Counter
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.rules.visit import Visit

MODELLED, RECORDED = "modelled", "recorded"
_SENTENCE = "This stands for a summary that no model was asked for; only its size is modelled. "


class SummarizerError(Exception):
    """A summarizer could not answer; the fold is not made, and asked for again at the next visit."""


class Summarizer(Protocol):
    """Answers with a summary's text and how it came by it; may raise SummarizerError."""

    def __call__(self, visit: Visit) -> tuple[str, str]:
        """Return (text, how) for the span that is about to be folded at this visit."""
        ...


class Modelled:
    """The harness's own summary where its log holds one made at this very call, else a constant of a set size."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self._text: str | None = None

    def __call__(self, visit: Visit) -> tuple[str, str]:
        """Return (text, `recorded` or `modelled`)."""
        for event in reversed(visit.events):
            if event.summary:
                return "\n".join(texts_of(event.summary)), RECORDED
        if self._text is None:
            self._text = constant_text(self._tokens, visit.counter)
        return self._text, MODELLED


def how_summarized(step: Step) -> str | None:
    """Return how the summary of a step came about, as its record says; empty where it says nothing, None for none."""
    if step.visit is None or not any(line.action == "fold" for line in step.lines):
        return None
    facts = step.visit.facts
    folded = facts.get("folded")
    if isinstance(folded, list) and folded and isinstance(folded[0], dict):
        return str(folded[0].get("summary", ""))
    return str(facts.get("summary", ""))


def constant_text(tokens: int, counter: Counter) -> str:
    """Return a text that says that it is modelled, as long as `tokens` tokens hold."""
    low, high = 0, max(tokens, 1) * 8
    whole = _SENTENCE * (high // len(_SENTENCE) + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if counter.text(whole[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return whole[:low]
