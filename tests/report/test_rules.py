"""`rules`: every registered entry is listed and shown in full (spec/9, law 4)."""

from __future__ import annotations

import pytest

from tests.report.made import fits, page
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.report.rules import Rules, rule_names, rule_texts, texts_named


def test_the_list_names_every_entry() -> None:
    text = page(Rules(rule_texts(), chosen=False))
    assert [name for name in rule_names() if name not in text] == []


@pytest.mark.parametrize("name", rule_names())
def test_an_entry_says_what_and_why(name: str) -> None:
    texts = texts_named(name)
    text = page(Rules(texts, chosen=True))
    for entry in texts:
        assert entry.what in text
        assert entry.why in text
        assert entry.key in text


@pytest.mark.parametrize("name", ["8", "invariant-8", "invariant 8"])
def test_an_invariants_number_names_it(name: str) -> None:
    assert [text.name for text in texts_named(name)] == ["addressable"]


def test_a_policy_key_names_what_it_governs() -> None:
    assert "keep-error" in [text.name for text in texts_named("toolResults.keepErrors")]


def test_an_unknown_name_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"did you mean .*keep-error"):
        texts_named("keep-eror")


def test_the_document_fits_its_schema() -> None:
    fits(Rules(rule_texts(), chosen=False).document())
