"""Which image or file is in a block that is kept verbatim, whatever format it came from?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.writers.arguments import parsed
from windowkeeper_cli.model.block import Other
from windowkeeper_cli.model.value import NamedTuple

IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")


class Media(NamedTuple):
    """An image or a file: its MIME type, and its base64 data or its address."""

    mime: str
    data: str | None
    url: str | None

    @property
    def is_image(self) -> bool:
        """Return whether it is an image of a kind that providers take."""
        return self.mime in IMAGES

    @property
    def address(self) -> str:
        """Return its address, for data one that holds it."""
        return self.url if self.url is not None else f"data:{self.mime};base64,{self.data}"


def media_of(block: Other) -> Media | None:
    """Return the image or file that a block holds, None where it holds none whose type is said."""
    value, _ = parsed(block.json)
    if not isinstance(value, dict):
        return None
    source: dict[str, Any] = next(
        (
            value[key]
            for key in ("source", "inlineData", "inline_data", "fileData", "file")
            if isinstance(value.get(key), dict)
        ),
        {},
    )
    if source.get("type", "base64") not in ("base64", "url"):
        return None
    inside = {**value, **source}
    mime = _first(inside, "media_type", "mimeType", "mime_type", "mediaType", "mime")
    place = _first(inside, "data", "url", "image", "image_url", "file_data", "fileUri")
    return _media(mime, place, block.kind)


def _media(mime: str | None, place: str | None, kind: str) -> Media | None:
    if not place:
        return None
    if place.startswith("data:"):
        head, _, data = place.partition(",")
        told = head.removeprefix("data:").partition(";")[0]
        return Media(mime or told, data, None) if (mime or told) and "base64" in head else None
    if place.startswith(("http://", "https://")):
        is_image = "image" in kind
        return Media(mime or ("image/png" if is_image else ""), None, place) if mime or is_image else None
    return Media(mime, place, None) if mime else None


def _first(value: dict[str, Any], *keys: str) -> str | None:
    for key in keys:
        found = value.get(key)
        if isinstance(found, dict):
            found = found.get("url")
        if isinstance(found, str):
            return found
    return None
