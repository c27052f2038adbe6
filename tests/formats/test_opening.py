"""Opening: packed files, bombs, folders, binaries. The errors are those of the table in `spec/2`."""

from __future__ import annotations

import gc
import gzip
import hashlib
import io
import sys
import zlib
from pathlib import Path

import pytest

from tests.formats.logs import LogFile, text
from windowkeeper_cli.formats import load, loads, opening
from windowkeeper_cli.formats.opening import EXPANSION_FLOOR
from windowkeeper_cli.model.errors import InputError


def log_bytes() -> bytes:
    log = LogFile()
    log.user("hi")
    log.reply("m1", text("hello"))
    return log.encoded()


def test_gzip_opens_by_its_magic_bytes_whatever_its_name(tmp_path: Path) -> None:
    data = gzip.compress(log_bytes())
    path = tmp_path / "log.jsonl"
    path.write_bytes(data)
    transcript = load(str(path))
    assert len(transcript.items) == 2
    assert (transcript.files[0].bytes, transcript.files[0].sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert transcript.source.raw(0) == log_bytes().split(b"\n")[0]


def test_several_gzip_members_are_one_file() -> None:
    first, second = log_bytes().splitlines(keepends=True)
    assert len(loads(gzip.compress(first) + gzip.compress(second)).items) == 2


def test_a_bomb_is_refused_before_it_unpacks() -> None:
    bomb = zlib.compressobj(9, wbits=31)
    data = b"".join([bomb.compress(b" " * (1 << 20)) for _ in range(EXPANSION_FLOOR * 4 >> 20)]) + bomb.flush()
    with pytest.raises(InputError, match="unpack to over 100 times"):
        loads(data)


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:20] + b"xx" + data[22:]])
def test_a_damaged_gzip_file_is_named_as_such(damage: object) -> None:
    assert callable(damage)
    with pytest.raises(InputError, match=r"gzip file is (cut|damaged)"):
        loads(damage(gzip.compress(log_bytes() * 20)))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "an empty file"),
        (b"\n \r\n", "an empty file"),
        (b"\xef\xbb\xbf", "an empty file"),
        (b"PK\x03\x04rest of a zip", "a binary file"),
        (b"\x7fELF\x02\x01\x01\x00", "a binary file"),
        (b"\x7fELF\x02\x01\n42\n", "a binary file"),
        (b"\x80\x81\x82\x83\x84\x85\xfe\xff", "a binary file"),
        (b"just some words\nand more\n", "no known transcript format"),
        (b'{"hello":"world"}', "no known transcript format"),
        (b"[]", "no known transcript format"),
        (b"42\n", "no known transcript format"),
        (b'{"messages":[{"role":"user"', "the JSON is damaged"),
        (b'{"type":"permission-mode","sessionId":"x"}\n', "no message in it"),
    ],
)
def test_what_is_no_transcript_says_what_it_is(data: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        loads(data, "the-name")
    assert str(caught.value).startswith("the-name") and "\n" not in str(caught.value)


def test_an_unknown_format_names_those_that_are_known() -> None:
    with pytest.raises(InputError) as caught:
        loads(b'{"hello":"world"}')
    assert all(name in str(caught.value) for name in ("windowkeeper", "claude-code", "anthropic", "openai-chat"))


def test_a_folder_is_no_transcript(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder is not a transcript"):
        load(str(tmp_path))


def test_a_missing_file_is_an_error() -> None:
    with pytest.raises(InputError, match="no-such-file: cannot be read"):
        load("no-such-file")


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(log_bytes())))
    transcript = load("-")
    assert transcript.files[0].path == "<stdin>"
    assert transcript.source.raw(0) == log_bytes().split(b"\n")[0]


def test_raw_bytes_are_refused_once_the_file_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(log_bytes())
    transcript = load(str(path))
    path.write_bytes(log_bytes() + b'{"more":1}\n')
    assert transcript.source.raw(0) == log_bytes().split(b"\n")[0]
    path.write_bytes(log_bytes().replace(b"hi", b"ho"))
    with pytest.raises(InputError, match="has changed since"):
        transcript.source.raw(0)


def test_the_digest_of_a_large_file_is_counted_beside_the_reader(tmp_path: Path) -> None:
    data = log_bytes() + b'{"type":"tag","pad":"' + b"x" * (7 << 20) + b'"}\n'
    path = tmp_path / "log.jsonl"
    path.write_bytes(data)
    assert load(str(path)).files[0].sha256 == hashlib.sha256(data).hexdigest()


class FakeZstd:
    """Stands for the standard library's module of Python 3.14."""

    __name__ = "compression.zstd"

    class ZstdDecompressor:
        """Unpacks what `packed` made."""

        def decompress(self, data: bytes, max_length: int) -> bytes:
            """Return the content, at most `max_length` bytes of it."""
            if data.endswith(b"damaged"):
                raise ValueError("bad block")
            return data[4:][:max_length] * (max_length if data.endswith(b"bomb") else 1)


def packed(data: bytes) -> bytes:
    return b"\x28\xb5\x2f\xfd" + data


def test_zstd_needs_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_zstd", lambda: None)
    with pytest.raises(InputError, match="zstd-compressed, and no zstd module is installed"):
        loads(packed(log_bytes()))
    monkeypatch.setattr(opening, "_zstd", FakeZstd)
    assert len(loads(packed(log_bytes())).items) == 2
    with pytest.raises(InputError, match="zstd file is damaged: bad block"):
        loads(packed(b"damaged"))
    with pytest.raises(InputError, match="unpack to over 100 times"):
        loads(packed(b"bomb"))


def test_a_file_that_goes_away_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    opened = opening.Opened("gone", tmp_path / "gone", None, None)
    for read in (opened.head, lambda: list(opened.lines())):
        with pytest.raises(InputError, match="gone: cannot be read"):
            read()


def test_a_load_leaves_the_collector_as_it_was() -> None:
    """What a caller froze stays frozen, and nothing of ours is frozen for good."""
    frozen = gc.get_freeze_count()
    loads(log_bytes())
    assert gc.isenabled() and gc.get_freeze_count() == frozen
    gc.freeze()
    try:
        held = gc.get_freeze_count()
        loads(log_bytes())
        assert gc.get_freeze_count() > held // 2
    finally:
        gc.unfreeze()
    gc.disable()
    try:
        loads(log_bytes())
        assert not gc.isenabled()
    finally:
        gc.enable()
