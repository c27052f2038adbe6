"""What does the argument of `-p` name: a strategy of the user's own, a path, or a built-in policy."""

from __future__ import annotations

import re
from collections.abc import Sequence

from windowkeeper_cli.model.errors import PolicyError
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.policy.load import load_policy
from windowkeeper_cli.policy.loaded import Loaded, Strategies, strategy_named
from windowkeeper_cli.policy.presets import PRESETS

_OWN = re.compile(r"(?P<place>[^:]+(?::[\\/][^:]+)?):(?P<attribute>[A-Za-z_][A-Za-z0-9_]*)")


class Named(NamedTuple):
    """What `-p TEXT` names: `kind` is `own`, `path` or `built-in`; `attribute` only of the user's own."""

    kind: str
    text: str
    attribute: str = ""


def named(text: str) -> Named:
    """Return what the argument of `-p` names; `:attribute` is recognised before a path or a name is."""
    own = _OWN.fullmatch(text)
    if own:
        return Named("own", own["place"], own["attribute"])
    return Named("path" if any(mark in text for mark in "/\\.") else "built-in", text)


def built_in_names(strategies: Strategies) -> tuple[str, ...]:
    """Return the names that `-p` takes without a file: every strategy, then every preset."""
    return (*strategies.names, *PRESETS)


def built_in(
    name: str,
    *,
    strategies: Strategies,
    overrides: Sequence[str] = (),
    figures: Sequence[str] | None = None,
    complete: bool = True,
) -> Loaded:
    """Return the built-in policy `name`, changed by `overrides`; raise PolicyError naming the nearest names.

    Where it need not be `complete`, a key that has no default may be absent.
    """
    strategy = strategy_named(name)
    if strategy in strategies.names:
        return load_policy(
            None, strategy, strategies=strategies, overrides=overrides, figures=figures, complete=complete
        )
    if name in PRESETS:
        from windowkeeper_cli.policy.preset import load_preset

        return load_preset(name, strategies=strategies, overrides=overrides, figures=figures, complete=complete)
    raise PolicyError((_unknown(name, built_in_names(strategies)),))


def _unknown(name: str, known: tuple[str, ...]) -> str:
    from windowkeeper_cli.policy.problem import nearest, shown

    near = nearest(name, known, 3)
    todo = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
    return f'-p {shown(name)}: there is no built-in policy of that name; {todo} (a path holds a "/" or a ".")'
