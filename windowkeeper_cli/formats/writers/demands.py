"""What does a target's provider demand of a request, as far as a window may have to be changed for it?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.formats.writers.media import Media
from windowkeeper_cli.model.value import NamedTuple

ANYONE = "*"


class Demands(NamedTuple):
    """The demands of one provider; each has a source beside the rule of the same kind in the acceptance lint.

    `provider` is its name there. `adjacent`: results stand right behind the message with their calls, rather than
    anywhere after it. `one_id` says that no two calls of a request have one id, rather than no two of a message.
    `no_blank` refuses a text of blanks, `system_inline` takes system texts among the messages, `user_first` wants a
    user's message first, `closed` wants no message of the model to end with its reasoning. `seals` begins the name of
    the provider whose sealed reasoning it takes back (empty: none at all). `id_letters` are characters that a call's
    id may have besides ASCII letters and digits (None: any), `id_length` how long it may be. `natives` are formats
    whose blocks are its own, `own` kinds of blocks that only it has. `media` writes an image or a file in a user's
    message, or where the flag says so in a result; None: it has no place there.
    """

    provider: str
    adjacent: bool = True
    one_id: bool = True
    no_blank: bool = False
    system_inline: bool = False
    user_first: bool = False
    closed: bool = False
    seals: str = ""
    id_letters: str | None = None
    id_length: int | None = None
    natives: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    media: Callable[[Media, bool], dict[str, Any] | None] | None = None
