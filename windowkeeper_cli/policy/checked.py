"""What policy do a document and the words of `--set` make: an effective policy, or every problem of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.policy.agreement import Disagreement, disagreements
from windowkeeper_cli.policy.document import Document, written
from windowkeeper_cli.policy.keys import DEFAULTS, KEYS
from windowkeeper_cli.policy.loaded import DEFAULT_STRATEGY, Loaded, Origin, Strategies, policy_id, strategy_named
from windowkeeper_cli.policy.overrides import OPTION, Override, apply_overrides, read_overrides
from windowkeeper_cli.policy.problem import Problem, error_of
from windowkeeper_cli.policy.text_place import Path

if TYPE_CHECKING:
    from windowkeeper_cli.policy.shape import Misfit


def load_document(
    document: Document,
    *,
    strategies: Strategies,
    overrides: Sequence[str] = (),
    figures: Sequence[str] | None = None,
    word: str = "file",
    complete: bool = True,
) -> Loaded:
    """Return the policy of a document that was read; `word` says where its values come from.

    Where it need not be `complete`, a key that has no default may be absent.
    """
    sets = read_overrides(overrides)
    values = _named(apply_overrides(document.values, sets.given))
    settings, problems = _checked(values, document, sets.given, strategies, figures, complete)
    problems = [*document.problems, *sets.problems, *problems]
    if problems:
        raise error_of(problems)
    origins = _origins(document, sets.given, word)
    return Loaded(settings, document.name, policy_id(settings, strategies.reads(settings.strategy)), origins)


def _checked(
    values: Mapping[str, object],
    document: Document,
    sets: Sequence[Override],
    strategies: Strategies,
    figures: Sequence[str] | None,
    complete: bool,
) -> tuple[Settings, list[Problem]]:
    """Return the settings and every problem of their shape and of their agreement."""
    settings, misfits = _fit(values)
    problems = [_problem(misfit.path, misfit.what, misfit.todo, document, sets) for misfit in misfits]
    bad = {".".join(str(part) for part in misfit.path[:2]) for misfit in misfits}
    for found in disagreements(settings, strategies.names, figures, complete=complete):
        if not any(key in bad or key.split(".")[0] in bad for key in found.keys):
            problems.append(_disagreement(found, document, sets))
    return settings, problems


def _fit(values: Mapping[str, object]) -> tuple[Settings, Sequence[Misfit]]:
    """Return what the validator says; a policy that is only the name of a strategy does not need it."""
    strategy = values.get("strategy", DEFAULT_STRATEGY)
    if isinstance(strategy, str) and strategy and not values.keys() - {"strategy"}:
        return replace(DEFAULTS, strategy=strategy), ()
    from windowkeeper_cli.policy.shape import fit

    return fit(values)


def _named(values: dict[str, object]) -> dict[str, object]:
    strategy = values.get("strategy")
    return {**values, "strategy": strategy_named(strategy)} if isinstance(strategy, str) else values


def _problem(path: Path, what: str, todo: str, document: Document, sets: Sequence[Override]) -> Problem:
    """Return a problem at the `--set` that gave the value, else at its line in the file."""
    for override in sets:
        if override.path == path[: len(override.path)]:
            return Problem(override.order, override.where, document.problem(path, what, todo).path, what, todo)
    return document.problem(path, what, todo)


def _disagreement(found: Disagreement, document: Document, sets: Sequence[Override]) -> Problem:
    """Return the problem of keys that disagree, at the last of them that the policy gives."""
    parts = () if found.part is None else (found.part,)
    paths: list[Path] = [(*key.split("."), *parts) for key in found.keys]
    placing: list[Path] = [(key,) for key in found.by] or paths
    last = max(_problem(path, "", "", document, sets) for path in placing)
    return Problem(last.order, last.where, ", ".join(written(path) for path in paths), found.what, found.todo)


def _origins(document: Document, sets: Sequence[Override], word: str) -> dict[str, Origin]:
    origins: dict[str, Origin] = {}
    for key in KEYS:
        holder = document.values.get(key.section) if key.section else document.values
        if isinstance(holder, dict) and holder.get(key.name) is not None:
            place = document.places.get(tuple(key.path.split(".")))
            origins[key.path] = Origin(word, place.line if place else None)
    for override in sets:
        if override.value is None and len(override.path) <= 2:
            origins.pop(override.key, None)
        else:
            origins[override.key] = Origin(OPTION)
    return origins
