"""Nothing of a transcript reaches a terminal uninterpreted (expected values from spec/8, "How it behaves")."""

from __future__ import annotations

import json
import unicodedata

import pytest

from windowkeeper_cli.model.unprintable import json_safe
from windowkeeper_cli.render.escape import escape


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\x00b", "a\\x00b"),
        ("bell\x07", "bell\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("two\nlines\tand\r", "two\\nlines\\tand\\r"),
        ("\u202egnol", "\\u202egnol"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("line\u2028sep", "line\\u2028sep"),
        ("\ufeffbom", "\\ufeffbom"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("lone \ud800 here", "lone \ufffd here"),
        ("\x7f", "\\x7f"),
        ("plain C:\\x1b", "plain C:\\x1b"),
        ("日本 é 🎉", "日本 é 🎉"),
        ("[bold]no markup[/bold] :smile:", "[bold]no markup[/bold] :smile:"),
    ],
)
def test_escape_shows_and_never_sends(raw: str, shown: str) -> None:
    assert escape(raw) == shown


def test_kept_characters_stay() -> None:
    assert escape("a\nb\tc\x1b", keep="\n\t") == "a\nb\tc\\x1b"


def test_every_format_and_control_character_of_unicode_3_2_is_escaped() -> None:
    old = unicodedata.ucd_3_2_0
    for code in range(0x110000):
        if old.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp"):
            assert escape(chr(code)).isascii(), hex(code)


def test_a_narrow_code_page_shows_escapes() -> None:
    assert escape("é → 日", encoding="cp1252") == "é \\u2192 \\u65e5"


def test_json_safe_means_the_same_and_holds_no_terminal_control() -> None:
    value = {"a": "\x9b31m \u202e \U000e0041 日\x7f"}
    body = json_safe(json.dumps(value, ensure_ascii=False).encode())
    assert json.loads(body) == value
    assert not any(char in body.decode() for char in "\x9b\u202e\U000e0041\x7f")
    assert "日" in body.decode()
