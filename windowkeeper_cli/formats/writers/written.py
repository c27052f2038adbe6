"""How does a transcript become another format's document, and a window a request that its provider accepts?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

import orjson

from windowkeeper_cli.formats.senders import provider_of
from windowkeeper_cli.formats.writers import WRITERS
from windowkeeper_cli.formats.writers.accepted import accepted
from windowkeeper_cli.formats.writers.demands import Demands
from windowkeeper_cli.formats.writers.losses import Losses, Written
from windowkeeper_cli.formats.writers.unheld import count_unheld
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.sent import Window, whole
from windowkeeper_cli.model.transcript import Transcript

OWN, MODEL = "windowkeeper", "model"
_REPLACED = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


class Writer(Protocol):
    """A module of this folder: `CANNOT_HOLD` says in words what the format has no place for.

    `TO_ADD` are keys of a request that no transcript says; `model` among them is written where it is known.
    """

    DEMANDS: Demands
    CANNOT_HOLD: str
    TO_ADD: tuple[str, ...]

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
    models = list(dict.fromkeys(call.model for call in transcript.calls if call.model))
    if len(models) == 1 and MODEL in writer.TO_ADD:
        body = {MODEL: models[0], **body}
    else:
        losses.add("models of calls, left out", len(models))
    count_unheld(transcript, losses)
    return Written(_clean(body, losses), losses.all())


def requested(window: Window, target: str, *, call: Call | None = None) -> Written:
    """Return a window as a request body that the provider of `target` accepts; raise UsageError for an unknown one.

    With the `call` that the window is of, its model is named where it is the provider's own; that of a call that is
    not recorded is the last one's. Our own format has no provider: there the window is written as it is.
    """
    writer, losses = cast(Writer, WRITERS.module(target)), Losses()
    if target == OWN:
        return Written(writer.write(window, losses), losses.all())
    body = writer.write(accepted(window, writer.DEMANDS, losses), losses)
    model = None if call is None else _model(window.transcript, call)
    if model is not None and MODEL in writer.TO_ADD and _serves(writer.DEMANDS, model):
        body = {MODEL: model, **body}
    return Written(_clean(body, losses), losses.all())


def to_add(written: Written, target: str) -> str:
    """Return in words what a request body needs that no transcript says."""
    writer = cast(Writer, WRITERS.module(target))
    missing = [key for key in getattr(writer, "TO_ADD", ()) if key not in written.body]
    return " and ".join([", ".join(missing[:-1]), missing[-1]]) if len(missing) > 1 else "".join(missing)


def _model(transcript: Transcript, call: Call) -> str | None:
    earlier = [known.model for known in transcript.calls[: call.number] if known.model]
    return call.model or (earlier[-1] if earlier else None)


def _serves(demands: Demands, model: str) -> bool:
    provider = provider_of(model)
    return provider is not None and provider.partition("-")[0] == demands.provider.partition("-")[0]


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
