"""Which policy is in force: -p, --set, the nearest pyproject.toml, or the default."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from windowkeeper_cli.model.errors import InputError, UsageError
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.policy import Loaded, Strategies, built_in, load_policy, named, policy_id, pyproject_policy
from windowkeeper_cli.report.subject import RECORDED, NamedPolicy
from windowkeeper_cli.strategies import STRATEGIES

LARGEST = 4 << 20
"""Bytes of a policy file; a larger one is something else."""
DEFAULT = "windowkeeper"


def strategies() -> Strategies:
    """Return the registered strategies as the policy floor wants to know them."""
    return Strategies(STRATEGIES.names, lambda name: STRATEGIES.module(name).READS)


def one_policy(names: Sequence[str] | None, sets: Sequence[str] | None, *, complete: bool = True) -> NamedPolicy:
    """Return the policy of a command that takes one; raise UsageError for a second -p, PolicyError for a wrong one.

    Where it need not be `complete`, a key that has no default may be absent.
    """
    if names and len(names) == 1 and named(names[0]).kind == "own":
        return _own(names[0], tuple(sets or ()))
    loaded, origin = chosen(names, sets, complete=complete)
    return named_policy(loaded, origin, tuple(sets or ()))


def or_recorded(named: NamedPolicy, transcript: Transcript) -> NamedPolicy:
    """Return the policy `recorded` where nobody chose one and the log holds removals, else the policy as it is."""
    if named.origin != "default" or named.sets or not transcript.events:
        return named
    return named_policy(built_in(RECORDED, strategies=strategies()), "default", ())._replace(name=RECORDED)


def chosen(names: Sequence[str] | None, sets: Sequence[str] | None, *, complete: bool = True) -> tuple[Loaded, str]:
    """Return the policy of a command that takes one, and where it is from; raise as `one_policy` does."""
    if names and len(names) > 1:
        raise UsageError(f"{len(names)} policies given", "this command takes one -p")
    overrides = tuple(sets or ())
    if names:
        return _by_name(names[0], overrides, complete)
    found = _of_project(overrides, complete)
    if found is not None:
        return found, "pyproject.toml"
    return load_policy(None, DEFAULT, strategies=strategies(), overrides=overrides, complete=complete), "default"


def named_policy(loaded: Loaded, origin: str, overrides: tuple[str, ...]) -> NamedPolicy:
    """Return a policy as a report names it."""
    return NamedPolicy(
        name="default" if origin == "default" else loaded.name,
        id=loaded.id,
        settings=loaded.settings,
        origin=origin,
        sets=overrides,
        source=loaded.source,
        certainty=loaded.certainty,
        loaded=loaded,
    )


def from_file(
    name: str,
    overrides: tuple[str, ...] = (),
    *,
    figures: Sequence[str] | None = None,
    complete: bool = True,
) -> Loaded:
    """Return the policy in a file; raise PolicyError with every problem in it, InputError where it cannot be read.

    `figures` are the names that `check.max` and `check.min` may bound; without them any name passes.
    """
    return load_policy(
        _read(name), name, strategies=strategies(), overrides=overrides, figures=figures, complete=complete
    )


def _own(text: str, overrides: tuple[str, ...]) -> NamedPolicy:
    """Return the policy of a strategy of the user's own: the default sections, changed by `overrides`."""
    from windowkeeper_cli.cli.own_strategy import own_strategy

    what = named(text)
    make = own_strategy(what.text, what.attribute)
    loaded = load_policy(None, DEFAULT, strategies=strategies(), overrides=overrides)
    strategy = make(loaded.settings)
    settings = dataclasses.replace(loaded.settings, strategy=strategy.name)
    own_id = policy_id(settings, strategy.reads)
    return NamedPolicy(text, own_id, settings, "own", sets=overrides, make=make, loaded=loaded)


def _by_name(text: str, overrides: tuple[str, ...], complete: bool) -> tuple[Loaded, str]:
    what = named(text)
    if what.kind == "own":
        raise UsageError(f"-p {text}: a strategy of your own has no policy file", "use a file or a built-in name")
    if what.kind == "path":
        return from_file(text, overrides, complete=complete), "file"
    return built_in(text, strategies=strategies(), overrides=overrides, complete=complete), "built-in"


def _of_project(overrides: tuple[str, ...], complete: bool) -> Loaded | None:
    """Return the policy in the nearest pyproject.toml of the working folder or above, None without one."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        file = folder / "pyproject.toml"
        if file.is_file():
            name = str(file.relative_to(here)) if folder == here else str(file)
            return pyproject_policy(
                _read(str(file)), name, strategies=strategies(), overrides=overrides, complete=complete
            )
    return None


def _read(name: str) -> bytes:
    try:
        with Path(name).open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", "name a policy file", where=name) from error
    if len(data) > LARGEST:
        raise InputError(f"over {LARGEST >> 20} MB", "this is no policy file", where=name)
    return data
