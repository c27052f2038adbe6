"""How does a transcript become another format's document, and a window a request that its provider accepts?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

import orjson

from windowkeeper_cli.formats.writers import WRITERS
from windowkeeper_cli.formats.writers.accepted import accepted
from windowkeeper_cli.formats.writers.demands import Demands
from windowkeeper_cli.formats.writers.losses import Losses, Written
from windowkeeper_cli.formats.writers.unheld import count_unheld
from windowkeeper_cli.model.sent import Window, whole
from windowkeeper_cli.model.transcript import Transcript

OWN = "windowkeeper"
_REPLACED = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


class Writer(Protocol):
    """A module of this folder: `CANNOT_HOLD` says in words what the format has no place for."""

    DEMANDS: Demands
    CANNOT_HOLD: str

    @staticmethod
    def write(window: Window, losses: Losses) -> dict[str, Any]:
        """Return the body of a window, its parts as they are; what it does not hold is counted."""
        ...


def converted(transcript: Transcript, target: str) -> Written:
    """Return a whole transcript in the format `target`, faults and all; raise UsageError for an unknown one.

    What the format can hold reads back with the same ids; the losses name what it cannot.
    """
    writer, losses = cast(Writer, WRITERS.module(target)), Losses()
    body = writer.write(whole(transcript), losses)
    if target == OWN:
        return Written(body, losses.all())
    count_unheld(transcript, losses)
    return Written(_clean(body, losses), losses.all())


def requested(window: Window, target: str) -> Written:
    """Return a window as a request body that the provider of `target` accepts; raise UsageError for an unknown one.

    Our own format has no provider: there the window is written as it is.
    """
    writer, losses = cast(Writer, WRITERS.module(target)), Losses()
    if target == OWN:
        return Written(writer.write(window, losses), losses.all())
    body = writer.write(accepted(window, writer.DEMANDS, losses), losses)
    return Written(_clean(body, losses), losses.all())


def _clean(body: dict[str, Any], losses: Losses) -> dict[str, Any]:
    """Return a body without lone surrogates, which no provider takes."""
    try:
        orjson.dumps(body, option=orjson.OPT_PASSTHROUGH_SUBCLASS)
    except TypeError:
        replaced: list[str] = []
        body = _mapped(body, lambda text: _replaced(text, replaced))
        losses.add("texts with lone surrogates, written with U+FFFD", len(replaced))
    return body


def _replaced(text: str, replaced: list[str]) -> str:
    if type(text) is not str or text.isascii():
        return text
    made = text.translate(_REPLACED)
    if made != text:
        replaced.append(made)
    return made


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_mapped(part, change) for part in value]
    if isinstance(value, dict):
        return {change(key): _mapped(part, change) for key, part in value.items()}
    return value
