"""Which keys does a policy have: one table of key, kind and sentence, that all else is made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.policy.key_table import SECTION_TEXTS, TABLE
from windowkeeper_cli.policy.kinds import Kind
from windowkeeper_cli.policy.loaded import plain

Value = bool | int | float | str | list[str] | dict[str, float] | None
"""A value as a policy file holds it; None where a key has no default."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key: `path` is `section.name`; `required_by` is the strategy that has no default for it.

    `floor` says, with `{}` for the value, what the key keeps in every window.
    """

    section: str
    name: str
    kind: Kind
    text: str
    required_by: str = ""
    floor: str = ""

    @property
    def path(self) -> str:
        """Return the key as `--set` and the reports write it."""
        return f"{self.section}.{self.name}" if self.section else self.name


KEYS: tuple[Key, ...] = tuple(Key(section, name, kind, text, *more) for section, name, kind, text, *more in TABLE)
BY_PATH: Mapping[str, Key] = {key.path: key for key in KEYS}
SECTIONS: Mapping[str, str] = SECTION_TEXTS


def keys_of(section: str) -> tuple[Key, ...]:
    """Return the keys of one section in order."""
    return tuple(key for key in KEYS if key.section == section)


def field_of(name: str) -> str:
    """Return the settings field of a key (`maxTokensEach`: `max_tokens_each`)."""
    return "".join(f"_{char.lower()}" if "A" <= char <= "Z" else char for char in name)


def value_of(settings: Settings, key: Key) -> Value:
    """Return the value of `key` in `settings` as a policy file writes it."""
    holder: object = getattr(settings, field_of(key.section)) if key.section else settings
    found = getattr(holder, field_of(key.name))
    if found is None:
        return False if key.kind.or_false else None
    return cast(Value, plain(found))


def effective(settings: Settings, key: Key) -> Value:
    """Return the value that a strategy works with: half of the limit where `budget.target` is absent."""
    return settings.budget.goal if key.path == "budget.target" else value_of(settings, key)


def default_of(key: Key) -> Value:
    """Return the value that `key` has when no policy gives it."""
    return value_of(DEFAULTS, key)


DEFAULTS = Settings()
