"""A strategy of the user's own: `module:attribute`, or a file and an attribute in it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import cast

from windowkeeper_cli.model.errors import UsageError, WindowkeeperError
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.rules.visit import Plan, Visit
from windowkeeper_cli.strategies.strategy import Strategy

Make = Callable[[Settings], Strategy]
NEEDS = ("name", "plan")


def own_strategy(place: str, attribute: str) -> Make:
    """Return what makes the strategy named by `place:attribute`: a class, or a function of the settings.

    Raises UsageError where the module or attribute is not there, or the module itself raises on import.
    """
    shown = f"-p {place}:{attribute}"
    module = _module(place, shown)
    found = getattr(module, attribute, None)
    if found is None:
        own = (value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__)
        names = ", ".join(value.__name__ for value in own if isinstance(value, type))
        raise UsageError(f"{shown}: no {attribute!r} there", f"it defines: {names or 'no class'}")
    if not callable(found):
        raise UsageError(f"{shown}: {attribute!r} cannot be called", "name a class, or a function of the settings")

    def make(settings: Settings) -> Strategy:
        made = found(settings)
        missing = [name for name in NEEDS if not hasattr(made, name)]
        if missing:
            raise UsageError(f"{shown}: what it makes has no {missing[0]!r}", "derive it from Plain, and give it both")
        plan = made.plan
        made.plan = lambda visit: _guarded(plan(visit), visit, shown)
        return cast(Strategy, made)

    return make


def _guarded(plan: Plan, visit: Visit, shown: str) -> Plan:
    """Run a plan of the user's; what it raises is said in one line, with the call."""
    try:
        return (yield from plan)
    except WindowkeeperError:
        raise
    except Exception as error:  # the user's code may raise anything
        what = " ".join(str(error).split())
        raise UsageError(
            f"{shown}: at call {visit.call.number} it raised {type(error).__name__}: {what}", "--debug shows where"
        ) from error


def _module(place: str, shown: str) -> ModuleType:
    try:
        if not any(mark in place for mark in "/\\") and not place.endswith(".py"):
            return import_module(place)
        path = Path(place)
        spec = spec_from_file_location(f"windowkeeper_own_{path.stem}", path)
        if spec is None or spec.loader is None or not path.is_file():
            raise UsageError(f"{shown}: no such Python file", "name a .py file, or module:attribute")
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    except UsageError:
        raise
    except Exception as error:  # the user's module may raise anything
        what = " ".join(str(error).split())
        raise UsageError(f"{shown}: importing it raised {type(error).__name__}: {what}", "mend the module") from error
