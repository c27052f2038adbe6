"""Image sizes out of headers that were made by hand after each format's layout."""

from __future__ import annotations

import base64

import pytest

from windowkeeper_cli.formats.images import size_of, size_of_base64

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big") + b"\x08\x02"
GIF = b"GIF89a" + (30).to_bytes(2, "little") + (20).to_bytes(2, "little") + b"\0" * 6
VP8X = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + (99).to_bytes(3, "little") + (49).to_bytes(3, "little")
VP8L = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + (99 | 49 << 14).to_bytes(4, "little") + b"\0" * 8
VP8 = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + (100).to_bytes(2, "little") + (50).to_bytes(2, "little")
APP = b"\xff\xe0" + (100).to_bytes(2, "big") + b"J" * 98
JPEG = b"\xff\xd8" + APP + b"\xff\xff\xc2\0\x11\x08" + (50).to_bytes(2, "big") + (100).to_bytes(2, "big") + b"\x03"


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (PNG, (640, 480)),
        (GIF, (30, 20)),
        (VP8X, (100, 50)),
        (VP8L, (100, 50)),
        (VP8, (100, 50)),
        (JPEG, (100, 50)),
        (PNG[:20], None),
        (PNG.replace((640).to_bytes(4, "big"), b"\0\0\0\0"), None),
        (b"\xff\xd8\xff", None),
        (b"words", None),
        (b"", None),
    ],
)
def test_size(data: bytes, size: tuple[int, int] | None) -> None:
    assert size_of_base64(base64.b64encode(data).decode()) == size


def test_blocks_of_several_providers() -> None:
    data = base64.b64encode(PNG).decode()
    assert size_of({"type": "image", "source": {"type": "base64", "data": data}}) == (640, 480)
    assert size_of({"type": "image", "data": data}) == (640, 480)
    assert size_of({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}) == (640, 480)
    assert size_of({"type": "image_url", "image_url": {"url": "https://x/y.png"}}) is None
    assert size_of({"type": "image", "source": {"type": "url", "url": "u"}}) is None
    assert size_of({"type": "image", "source": {"data": "\ud800é"}}) is None
