"""Which format is an input? Each format looks at the first values; the surest one wins, and never by file name."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.reading import Verdict
from windowkeeper_cli.formats.registry import FORMATS
from windowkeeper_cli.model.errors import InputError

SAMPLE = 40
_CHOOSE = "choose one with --from"


def detect(values: list[Any], name: str) -> tuple[str, str]:
    """Return the format's name and why; raise InputError where no format fits, or two equally."""
    verdicts: list[tuple[Verdict, str]] = []
    for format_name in FORMATS.names:
        verdict = FORMATS.module(format_name).recognise(values)
        if verdict is not None:
            verdicts.append((verdict, format_name))
            if verdict.alone:
                # The others would be imported for nothing: each costs as much as a small log.
                break
    if not verdicts:
        _refuse_pairs(values, name)
        raise unknown_format(name)
    best = max(verdict.strength for verdict, _ in verdicts)
    candidates = [(verdict, found) for verdict, found in verdicts if verdict.strength == best]
    if len(candidates) > 1:
        both = " and ".join(f"{found} ({verdict.why})" for verdict, found in candidates)
        raise InputError(f"it fits two formats equally: {both}", _CHOOSE, where=name)
    return candidates[0][1], candidates[0][0].why


def unknown_format(name: str) -> InputError:
    """Return the error that names what was looked for; the manual has what each format looks like."""
    known = ", ".join(FORMATS.names)
    todo = f"formats known: {known} (`windowkeeper man transcript` has their shapes)"
    return InputError("no known transcript format", todo, where=name)


def _refuse_pairs(values: list[Any], name: str) -> None:
    from windowkeeper_cli.formats.wire.pair import sampled_pairs

    if sampled_pairs(values):
        raise InputError(
            "a request/response log of a provider that is not supported",
            "give the last request's body as a transcript, or name the format with --from",
            where=name,
        )
