"""What does a target's provider demand of a request, as far as a window may have to be changed for it?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.formats.writers.media import Media
from windowkeeper_cli.model.value import NamedTuple

ANYONE = "*"
EVERY, LAST = "every", "last"


class Demands(NamedTuple):
    """The demands of one provider: those that the acceptance lint knows by the same name, and some that it does not.

    `provider` is its name there. `adjacent`: results stand right behind the message with their calls, rather than
    anywhere after it. `one_id` says that no two calls of a request have one id, rather than no two of a message.
    `no_blank` refuses an empty text, and a blank one that no other text of its message stands beside (anthropic:
    LibreChat-AI/agents pull request 124). `system_inline` takes system texts among the messages, `user_first` wants a
    user's message first. `closed` says which of the model's turns may not end with reasoning: every one, or the one
    at the end of the request (anthropic: router-for-me/CLIProxyAPI issue 5321). `seals` begins the name of the
    provider whose sealed reasoning it takes back (empty: none at all). `id_letters` are characters that a call's id
    may have besides ASCII letters and digits, None: any (anthropic: maximhq/bifrost issue 5097), `id_length` how long
    it may be (openai-chat: vercel/ai issue 5171; openai-responses: NousResearch/hermes-agent issue 73492). `natives`
    are formats whose blocks are its own, `own` kinds of blocks that only it has. `media` writes an image or a file in
    a user's message, or where the flag says so in a result; None: it has no place there.
    """

    provider: str
    adjacent: bool = True
    one_id: bool = True
    no_blank: bool = False
    system_inline: bool = False
    user_first: bool = False
    closed: str = ""
    seals: str = ""
    id_letters: str | None = None
    id_length: int | None = None
    natives: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    media: Callable[[Media, bool], dict[str, Any] | None] | None = None
