"""How does a slotted dataclass come about without a function compiled for it? All of them share their methods.

What `dataclasses` asks of a class (`fields`, `replace`, `is_dataclass`, `asdict`) holds; its fields are made on use.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

_MADE = object()
"""Stands for a field without a default, or with one that is made for each value."""


def dataclass(*, frozen: bool = False, slots: bool) -> Callable[[type], type]:
    """Return what turns a class with annotated names into a dataclass with slots and without a dictionary.

    A value is made, compared, hashed, shown, copied and pickled by its fields in order. Classes do not inherit.
    """
    assert slots
    shared = {**_SHARED, **(_FROZEN if frozen else {"__hash__": None})}
    flags = SimpleNamespace(
        init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=frozen, match_args=True, kw_only=False,
        slots=True, weakref_slot=False,
    )  # fmt: skip

    def made(plain: type) -> type:
        assert not hasattr(plain, "__post_init__")
        types = plain.__annotations__
        body = {name: value for name, value in plain.__dict__.items() if name not in ("__dict__", "__weakref__")}
        given = {name: body.pop(name) for name in types if name in body}
        names = tuple(types)
        body = {**shared, **body, "__slots__": names, "__match_args__": names}
        body |= {"__dataclass_fields__": _Fields(types, given), "__dataclass_params__": flags}
        found = type(plain.__name__, plain.__bases__, body)
        found._setters = tuple([getattr(found, name).__set__ for name in names])  # type: ignore[attr-defined]
        defaults = [_MADE if type(given.get(name)) is dataclasses.Field else given.get(name, _MADE) for name in names]
        found._rest = tuple(defaults[_after_last(defaults) :])  # type: ignore[attr-defined]
        return found

    return made


def _after_last(defaults: list[Any]) -> int:
    """Return from where on every field has a default that all values share."""
    return max((at + 1 for at, value in enumerate(defaults) if value is _MADE), default=0)


class _Fields:
    """The fields of one class as `dataclasses` knows them, made when something asks."""

    def __init__(self, types: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        self.types = types
        self.given = given
        self._made: Any = None

    def __get__(self, value: object, owner: type) -> Any:
        if self._made is None:
            body = {"__annotations__": self.types, "__doc__": "Fields alone.", **self.given}
            bare: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(type(owner.__name__, (), body))
            self._made = bare.__dataclass_fields__
        return self._made


def _init(self: Any, *given: Any, **named: Any) -> None:
    setters, rest = self._setters, self._rest
    missing = len(setters) - len(given)
    if missing or named:
        if 0 < missing <= len(rest) and not named:
            given += rest[len(rest) - missing :]
        else:
            given = _in_order(type(self), given, named)
    for put, value in zip(setters, given, strict=True):
        put(self, value)


def _in_order(kind: Any, given: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """Return a value for each field: as given, by name, else its default; raise TypeError where that does not fit."""
    names, defaults = kind.__match_args__, kind.__dict__["__dataclass_fields__"].given
    if len(given) > len(names):
        raise TypeError(f"{kind.__name__}() takes {len(names)} values, {len(given)} were given")
    found = list(given)
    for name in names[len(given) :]:
        if name in named:
            found.append(named.pop(name))
        elif name in defaults:
            found.append(_default(defaults[name]))
        else:
            raise TypeError(f"{kind.__name__}() needs {name!r}")
    if named:
        raise TypeError(f"{kind.__name__}() has no field, or two values, for {', '.join(map(repr, named))}")
    return tuple(found)


def _default(given: Any) -> Any:
    if type(given) is not dataclasses.Field:
        return given
    made: Any = given.default_factory
    return made() if given.default is dataclasses.MISSING else given.default


def _values(self: Any) -> tuple[Any, ...]:
    return tuple([getattr(self, name) for name in self.__match_args__])


def _eq(self: Any, other: Any) -> Any:
    return _values(self) == _values(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    fields = ", ".join([f"{name}={getattr(self, name)!r}" for name in self.__match_args__])
    return f"{type(self).__qualname__}({fields})"


def _reduce(self: Any) -> tuple[Any, ...]:
    return type(self), _values(self)


def _set(_self: Any, name: str, _value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_SHARED = {"__init__": _init, "__eq__": _eq, "__repr__": _repr, "__reduce__": _reduce}
_FROZEN = {"__hash__": _hash, "__setattr__": _set, "__delattr__": _delete}
