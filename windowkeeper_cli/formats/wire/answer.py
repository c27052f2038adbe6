"""What came back for a request: the assistant message, its name, its model and what the provider reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.formats.content import KNOWN_OTHERS
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.value import NamedTuple


class Answer(NamedTuple):
    """One reply: `message` in the provider's own shape."""

    message: dict[str, Any]
    id: str | None
    model: str | None
    usage: Usage | None


def _says_nothing(_pair: Pair) -> int:
    return -1


class Dialect(NamedTuple):
    """How one provider writes its bodies: the entries of a request or of a message, and the reply in a response.

    `entries` gives a request's entries, system texts first. `answer` gives None where no message came back. `continues`
    gives the number of the pair that a request itself says it continues, -1 where it says nothing. `known` are the
    types of blocks that are kept verbatim and are no news.
    """

    entries: Callable[[Pair], list[Entry]]
    answer: Callable[[Any], Answer | None]
    reply: Callable[[Answer, Pair], Entry]
    continues: Callable[[Pair], int] = _says_nothing
    known: frozenset[str] = KNOWN_OTHERS
