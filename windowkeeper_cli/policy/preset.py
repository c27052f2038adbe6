"""What does a preset's file hold: a policy, where its figures come from, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.policy.checked import load_document
from windowkeeper_cli.policy.document import Document, read_document
from windowkeeper_cli.policy.loaded import DEFAULT_STRATEGY, Loaded, Strategies
from windowkeeper_cli.policy.presets import PRESETS, preset_bytes


class BuiltInRow(NamedTuple):
    """One built-in policy, as `windowkeeper policy list` shows it."""

    name: str
    strategy: str
    source: str
    certainty: str


def built_in_rows(strategies: Strategies) -> tuple[BuiltInRow, ...]:
    """Return one row a built-in policy: every strategy with its defaults, then every preset."""
    rows = [BuiltInRow(name, name, "the strategy's defaults", "") for name in strategies.names]
    return (*rows, *(preset(name, preset_bytes(name))[1] for name in PRESETS))


def load_preset(
    name: str,
    *,
    strategies: Strategies,
    overrides: Sequence[str] = (),
    figures: Sequence[str] | None = None,
    complete: bool = True,
) -> Loaded:
    """Return the policy of the preset `name`, changed by `overrides`; raise PolicyError where these are wrong."""
    document, about = preset(name, preset_bytes(name))
    loaded = load_document(
        document, strategies=strategies, overrides=overrides, figures=figures, word="preset", complete=complete
    )
    return replace(loaded, source=about.source, certainty=about.certainty)


def preset(name: str, data: bytes) -> tuple[Document, BuiltInRow]:
    """Return the policy in a preset's file, and what the file says about itself."""
    document = read_document(data, name, "toml")
    values = dict(document.values)
    about = values.pop("preset")
    assert isinstance(about, dict)
    row = BuiltInRow(name, str(values.get("strategy", DEFAULT_STRATEGY)), about["source"], about["certainty"])
    return Document(name, values, document.places), row
