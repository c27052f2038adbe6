"""Our values behave as the standard library's own do; expected values come from a twin made by it."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import typing
from typing import Any

import pytest

from windowkeeper_cli.model.value import NamedTuple, dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A place."""

    x: int
    y: int = 2
    tags: tuple[str, ...] = ()
    seen: list[int] = dataclasses.field(default_factory=list)
    label: str = dataclasses.field(default="none")

    @property
    def both(self) -> int:
        return self.x + self.y


@dataclass(slots=True)
class Open:
    """A count that changes."""

    n: int = 0


class Pair(NamedTuple):
    """Two things."""

    left: int
    right: str = "r"

    @property
    def size(self) -> int:
        return self.left + len(self.right)


class TwinPair(typing.NamedTuple):
    left: int
    right: str


Twin: Any = dataclasses.make_dataclass("Twin", [("x", int), ("y", int, 2)], frozen=True, slots=True)


def test_a_dataclass_is_made_by_place_by_name_and_by_default() -> None:
    assert Point(1) == Point(x=1, y=2) == Point(1, 2, (), [], "none")
    assert (Point(1).x, Point(1).y, Point(1).both, Point(1).label) == (1, 2, 3, "none")
    assert Point(1).seen is not Point(1).seen
    assert Point(1) != Point(2)
    others: list[object] = [Open(1), (1, 2, (), [], "none")]
    assert Point(1) not in others
    assert repr(Point(1)) == "Point(x=1, y=2, tags=(), seen=[], label='none')"


@pytest.mark.parametrize("given", [{}, {"x": 1, "z": 1}])
def test_wrong_names_are_refused(given: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Point(**given)  # type: ignore[arg-type]


def test_too_many_values_and_one_given_twice_are_refused() -> None:
    with pytest.raises(TypeError):
        Point(1, 2, (), [], "a", "b")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point(1, x=1)  # type: ignore[misc]


def test_a_frozen_value_does_not_change_and_has_no_dictionary() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Point(1).x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del Point(1).x
    assert not hasattr(Point(1), "__dict__")
    changing = Open()
    changing.n += 1
    assert changing == Open(1)
    with pytest.raises(TypeError):
        hash(changing)


def test_what_the_standard_library_asks_of_a_dataclass_holds() -> None:
    assert dataclasses.is_dataclass(Point)
    assert [field.name for field in dataclasses.fields(Point)] == ["x", "y", "tags", "seen", "label"]
    assert dataclasses.replace(Point(1), y=5) == Point(1, 5)
    assert dataclasses.asdict(Point(1)) == {"x": 1, "y": 2, "tags": (), "seen": [], "label": "none"}
    assert hash(Settled(1, 2)) == hash(Twin(1, 2))
    match Point(1):
        case Point(x, y):
            assert (x, y) == (1, 2)


@dataclass(frozen=True, slots=True)
class Settled:
    """Fields that can be hashed."""

    x: int
    y: int


@pytest.mark.parametrize("value", [Point(1, 2), Open(3), Pair(1, "a"), Settled(1, 2)])
def test_values_are_copied_and_pickled(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.copy(value) == value
    assert copy.deepcopy(value) == value


def test_a_named_tuple_is_a_tuple_with_names() -> None:
    assert Pair(1) == (1, "r")
    assert Pair(right="a", left=2) == Pair(2, "a")
    assert (Pair(1).left, Pair(1).right, Pair(1).size) == (1, "r", 2)
    assert Pair._fields == TwinPair._fields
    assert Pair._field_defaults == {"right": "r"}
    assert Pair(1)._replace(right="b") == (1, "b")
    assert Pair(1)._asdict() == {"left": 1, "right": "r"}
    assert Pair._make([1, "b"]) == (1, "b")
    assert repr(Pair(1, "a")) == repr(TwinPair(1, "a")).replace("TwinPair", "Pair")
    assert not hasattr(Pair(1), "__dict__")


def test_a_named_tuple_refuses_what_does_not_fit() -> None:
    with pytest.raises(TypeError):
        Pair()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Pair(1, "a", 3)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Pair._make([1])
    with pytest.raises(TypeError):
        Pair(1)._replace(middle=3)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Pair(1).left = 2  # type: ignore[misc]
