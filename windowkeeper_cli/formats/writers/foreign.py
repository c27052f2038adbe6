"""What does a block become that its target's provider does not take: another's image, hosted tool or reasoning?"""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.formats.content import HIDDEN_THINKING
from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.formats.senders import provider_of, sender_of
from windowkeeper_cli.formats.writers.demands import ANYONE, Demands
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.formats.writers.media import media_of
from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolResult
from windowkeeper_cli.model.item import TOOL, USER
from windowkeeper_cli.model.transcript import Transcript

BLANKS = " \t\r\n\x0b\x0c"
OWN = "windowkeeper"
SIGNING = "anthropic"
"""Reasoning of its models is never sent without a signature."""
MOST = 2_000
"""Characters of a foreign block's JSON that stand in its place."""


class Foreign:
    """Makes the blocks of one transcript acceptable to a provider; what it changes is counted."""

    def __init__(self, transcript: Transcript, demands: Demands, losses: Losses) -> None:
        self._demands = demands
        self._losses = losses
        self._models = {call.at: call.model for call in transcript.calls if call.model}
        self._sender = sender_of(transcript)
        self._native = transcript.format in demands.natives
        self._is_own = transcript.format == OWN

    def message(self, at: int | None, role: str, blocks: Blocks) -> Blocks:
        """Return the blocks of a message as the provider takes them; results are left as they are."""
        made: list[Block] = []
        provider = self._provider(at)
        speaks = any(isinstance(block, Text) and not self._is_blank(block) for block in blocks)
        for block in blocks:
            if isinstance(block, Text):
                made += self._text(block, speaks)
            elif isinstance(block, Think):
                made += self._think(block, provider)
            elif isinstance(block, Other):
                made += self._other(block, role, self._takes_seal(provider))
            else:
                made.append(block)
        return tuple(made)

    def result(self, result: ToolResult) -> ToolResult:
        """Return a result with the content that the provider takes."""
        content = tuple(self._parts(result.content))
        return result if content == result.content else result._replace(content=content)

    def _parts(self, content: Iterable[Text | Other]) -> Iterable[Text | Other]:
        content = tuple(content)
        for part in content:
            if isinstance(part, Other):
                yield from self._other(part, TOOL, sealed_here=False)
            elif len(content) == 1 or not self._is_blank(part):
                yield part
            else:
                self._losses.add("texts without a visible character, left out")

    def _text(self, block: Text, speaks: bool) -> list[Text]:
        if not self._is_blank(block) or (block.text and speaks):
            return [block]
        self._losses.add("texts without a visible character, left out")
        return []

    def _is_blank(self, block: Text) -> bool:
        return self._demands.no_blank and not block.text.strip(BLANKS)

    def _takes_seal(self, provider: str) -> bool:
        """Return whether reasoning that a provider sealed may be sent to this one."""
        seals = self._demands.seals
        return seals == ANYONE or (seals != "" and provider.startswith(seals))

    def _provider(self, at: int | None) -> str:
        """Return whose model wrote the message at `at`, empty where nobody knows."""
        model = self._models.get(at) if at is not None and self._sender.neutral else None
        return (provider_of(model) if model else None) or self._sender.provider or ""

    def _think(self, block: Think, provider: str) -> list[Block]:
        if not self._demands.seals:
            self._losses.add("reasoning, left out: these messages have no place for it")
        elif not self._takes_seal(provider):
            self._losses.add("reasoning of another provider's model, left out")
        elif block.sig is None and (self._demands.closed or provider == SIGNING):
            self._losses.add("reasoning without a signature, left out")
        else:
            return [block]
        return []

    def _other(self, block: Other, role: str, sealed_here: bool) -> list[Text | Other]:
        demands = self._demands
        is_hidden = block.kind == HIDDEN_THINKING
        known = self._is_own and block.kind in demands.own and (sealed_here or not is_hidden)
        if self._native or known:
            return [block]
        if is_hidden:
            self._losses.add("reasoning of another provider's model, left out")
            return []
        found = media_of(block)
        if found is not None:
            value = demands.media(found, role == TOOL) if demands.media is not None and role in (USER, TOOL) else None
            if value is not None:
                made = Other(str(value.get("type", "inlineData")), compact(value), block.size)
                if made.json == block.json:
                    return [block]
                self._losses.add("images and files of another format, written as this one has them")
                return [made]
            self._losses.add("images and files that have no place here, named in a text")
            return [Text(f"[{'image' if found.is_image else 'file'} left out: {found.mime or 'unknown type'}]")]
        self._losses.add("blocks of another format, written as text")
        text = block.json if len(block.json) <= MOST else f"{block.json[:MOST]}… ({len(block.json):,} characters)"
        return [Text(text)]
