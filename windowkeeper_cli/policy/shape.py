"""Do the values of a policy have the shape that its keys demand: unknown keys, wrong types, figures out of range.

The only module that imports pydantic; it is imported when a policy file, a preset or `--set` is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.policy.document import found
from windowkeeper_cli.policy.keys import BY_PATH, DEFAULTS, KEYS, SECTIONS, Key, field_of, keys_of
from windowkeeper_cli.policy.kinds import LARGEST, LISTS, MAPS, Kind
from windowkeeper_cli.policy.problem import SHOWN_PROBLEMS, nearest, shown
from windowkeeper_cli.policy.text_place import Path

_CONFIG = ConfigDict(strict=True, extra="forbid", frozen=True)
_NAME = Annotated[str, Field(min_length=1)]


class Misfit(NamedTuple):
    """A value that has not the shape of its key: where, what is wrong, what to do."""

    path: Path
    what: str
    todo: str


class Fitted(NamedTuple):
    """The settings made of every value that fits, and the misfits that were left out."""

    settings: Settings
    misfits: tuple[Misfit, ...]


def fit(values: Mapping[str, object]) -> Fitted:
    """Return the settings that `values` (camelCase) make, and every misfit in them; null is as if a key were absent."""
    misfits: dict[Path, Misfit] = {}
    adapter = _adapter()
    try:
        checked = adapter.validate_python(values)
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_context=False):
            advised = len(misfits) < SHOWN_PROBLEMS
            misfit = _misfit(fault["type"], tuple(fault["loc"]), fault["input"], advised)
            misfits.setdefault(misfit.path, misfit)
        checked = adapter.validate_python(_without(values, misfits))
    return Fitted(_settings(checked), tuple(misfits.values()))


@cache
def _adapter() -> TypeAdapter[BaseModel]:
    """Return the validator of a whole policy, made from the table of keys."""
    fields: dict[str, Any] = {key.name: _optional(_type(key.kind)) for key in keys_of("")}
    for section in SECTIONS:
        members: dict[str, Any] = {key.name: _optional(_type(key.kind)) for key in keys_of(section)}
        model = create_model(section, __config__=_CONFIG, **_aliased(members))
        fields[section] = _optional(model)
    return TypeAdapter(create_model("Policy", __config__=_CONFIG, **_aliased(fields)))


def _optional(kind: Any) -> Any:
    return (kind | None, None)


def _aliased(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return pydantic's fields: named so that no key (`max`, `json`) meets a name of pydantic's own."""
    return {f"key_{name}": (kind, Field(default, alias=name)) for name, (kind, default) in fields.items()}


def _type(kind: Kind) -> Any:
    whole = Annotated[int, Field(ge=kind.least, le=kind.most)]
    low = {"gt": kind.least} if kind.above else {"ge": kind.least}
    number = Annotated[float, Field(le=kind.most, allow_inf_nan=False, **low)]
    types: dict[str, Any] = {
        "flag": bool,
        "whole": whole,
        "number": number,
        "name": _NAME,
        "texts": list[_NAME],
        "patterns": list[_NAME],
        "wholes": dict[_NAME, whole | None],
        "numbers": dict[_NAME, number | None],
    }
    if kind.form == "choice":
        return Literal[kind.choices]
    return types[kind.form] | Literal[False] if kind.or_false else types[kind.form]


def _misfit(fault: str, place: Path, value: object, advised: bool) -> Misfit:
    """Return what a user is told of one of pydantic's errors; it gives the place, the words are ours."""
    if fault == "extra_forbidden":
        return Misfit(place, "unknown key", _meant(place) if advised else "remove it")
    path = ".".join(str(part) for part in place[:2])
    key = BY_PATH.get(path) or BY_PATH.get(str(place[0]) if place else "")
    if key is None:
        names = ", ".join(known.name for known in keys_of(str(place[0])))
        return Misfit(place, f"found {found(value)}", f"write an object with keys of {names}")
    return _misfit_of(key, place[key.path.count(".") + 1 :], value)


def _misfit_of(key: Key, rest: Path, value: object) -> Misfit:
    """Return the misfit of `key`, or of the element or name `rest` in its list or object."""
    path: Path = tuple(key.path.split("."))
    if key.kind.form in LISTS or key.kind.form in MAPS:
        path = (*path, *rest[:1])
    if rest and key.kind.form in MAPS and isinstance(value, dict):
        return Misfit(path, "found an object", 'write a dotted name in quotes ("gaps.reRead")')
    if rest[1:] == ("[key]",) or (rest and rest[0] == "" and key.kind.form in MAPS):
        return Misfit(path, "a name is empty", "name it")
    allowed = key.kind.allowed_inside if len(path) > 2 else key.kind.allowed
    if isinstance(value, int | float) and value > LARGEST:
        allowed += f", at most {LARGEST:,}"
    return Misfit(path, f"found {found(value)}", f"write {allowed}")


def _meant(place: Path) -> str:
    """Return the advice for an unknown key: the nearest one, of its own section first."""
    section, name = (str(place[0]), str(place[1])) if len(place) > 1 else ("", str(place[0]))
    near = nearest(name, [key.name for key in keys_of(section)] + ([] if section else list(SECTIONS)))
    if near:
        return f"did you mean {section}.{near[0]}?" if section else f"did you mean {near[0]}?"
    elsewhere = nearest(f"{section}.{name}" if section else name, list(BY_PATH))
    namesakes = [key.path for key in KEYS if nearest(name, [key.name])]
    near = (*namesakes[:1], *elsewhere)
    if near:
        return f"did you mean {near[0]}?"
    known = [key.name for key in keys_of(section)] if section else ["strategy", *SECTIONS]
    return f"known {'in ' + shown(section) if section else 'here'}: {', '.join(known)}"


def _without(values: Mapping[str, object], misfits: Mapping[Path, Misfit]) -> dict[str, object]:
    """Return `values` without the keys that hold a misfit."""
    bad = {path[:2] for path in misfits} | {path[:1] for path in misfits if len(path) == 1}
    kept: dict[str, object] = {}
    for name, value in values.items():
        if (name,) in bad:
            continue
        if isinstance(value, dict):
            kept[name] = {inner: held for inner, held in value.items() if (name, inner) not in bad}
        else:
            kept[name] = value
    return kept


def _settings(checked: BaseModel) -> Settings:
    given = checked.model_dump(by_alias=True, exclude_none=True)
    changes: dict[str, Any] = {key.name: given[key.name] for key in keys_of("") if key.name in given}
    for section in SECTIONS:
        if section in given:
            kind = type(getattr(DEFAULTS, field_of(section)))
            held = {key: given[section][key.name] for key in keys_of(section) if key.name in given[section]}
            changes[field_of(section)] = kind(**{field_of(key.name): _held(key, held[key]) for key in held})
    return Settings(**changes)


def _held(key: Key, value: object) -> object:
    """Return a value as the settings hold it."""
    if key.kind.or_false and value is False:
        return None
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return MappingProxyType({name: value[name] for name in sorted(value) if value[name] is not None})
    return value
