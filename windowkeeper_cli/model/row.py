"""How does a named tuple come about without a look at its annotations? Its constructor is compiled on first use."""

from __future__ import annotations

from typing import Any, cast

try:
    # What the standard library's own named tuples read their fields with; the way below costs twice as much a look.
    from _collections import _tuplegetter as _getter  # type: ignore[import-not-found]
except ImportError:
    from operator import itemgetter

    def _getter(index: int, doc: str) -> Any:
        return property(itemgetter(index), doc=doc)


class _Meta(type):
    """Makes a tuple's subclass out of a class body with annotated names, as `typing.NamedTuple` does."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, body)
        types = body.get("__annotations__") or type.__new__(type, name, (), dict(body)).__annotations__
        names = tuple(types)
        given = {field: body.pop(field) for field in names if field in body}
        places = {field: _getter(at, f"Field {at}.") for at, field in enumerate(names)}
        own = {**_SHARED, **body, **places, "__slots__": (), "__match_args__": names}
        return type.__new__(type, name, (tuple,), {**own, "_fields": names, "_field_defaults": given})


class NamedTuple(metaclass=_Meta):
    """The base of a class whose annotated names are a tuple's fields; its subclasses are plain tuples' ones."""


def _new(cls: Any, *given: Any, **named: Any) -> Any:
    names = ", ".join(cls._fields)
    # As the standard library's own named tuples are made; the names come from a class body.
    made = eval(f"lambda _cls, {names}: _new(_cls, ({names},))", {"_new": tuple.__new__})
    made.__defaults__ = tuple(cls._field_defaults.values())
    made.__name__ = "__new__"
    cls.__new__ = made
    return made(cls, *given, **named)


def _make(cls: Any, values: Any) -> Any:
    made = tuple.__new__(cls, values)
    if len(made) != len(cls._fields):
        raise TypeError(f"{cls.__name__}() needs {len(cls._fields)} values, {len(made)} were given")
    return made


def _replace(self: Any, /, **changes: Any) -> Any:
    made = _make(type(self), [changes.pop(name, value) for name, value in zip(self._fields, self, strict=True)])
    if changes:
        raise TypeError(f"{type(self).__name__}() has no field {', '.join(map(repr, changes))}")
    return made


def _repr(self: Any) -> str:
    fields = ", ".join([f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True)])
    return f"{type(self).__name__}({fields})"


def _asdict(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self, strict=True))


def _getnewargs(self: Any) -> tuple[Any, ...]:
    return tuple(self)


_SHARED = cast(
    dict[str, Any],
    {
        "__new__": _new, "_make": classmethod(_make), "_replace": _replace, "__replace__": _replace,
        "__repr__": _repr, "_asdict": _asdict, "__getnewargs__": _getnewargs,
    },
)  # fmt: skip
