"""The weight of a text: the pairs' weights and nothing else, and never less than that of a beginning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windowkeeper_cli.tokens.byte_classes import CLASSES, class_table
from windowkeeper_cli.tokens.byte_weights import UNIT, WEIGHTS
from windowkeeper_cli.tokens.weigh import weigh

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=300)

# Our own sentences; tokens counted once with o200k_base (tiktoken 0.14).
COUNTED = {
    "The window is what the model sees at one call. Everything that a harness removes from it is still on disk, "
    "and an auditor can say when it left, which rule took it, and whether anybody asked for it again "
    "afterwards.": 46,
    "def total(rows: list[Row]) -> int:\n"
    '    """Return the sum of all amounts."""\n'
    "    found = 0\n"
    "    for row in rows:\n"
    "        if row.amount is not None and row.amount > 0:\n"
    "            found += row.amount\n"
    "    return found\n": 56,
    '{"file_path":"/srv/app/config/settings.yaml","old_string":"retries: 3","new_string":"retries: 5",'
    '"replace_all":false,"timeout":120000}': 39,
    "commit 8f14e45fceea167a5a36dedd4bea2543\nparent c9f0f895fb98ab9159f51fd0297e236d\n"
    "tree 45c48cce2e2d7fbdea1afc51c7c6ad26\n": 68,
    "drwxr-xr-x  4 root root  4096 Aug 16 18:21 .git\n-rw-r--r--  1 root root    45 Aug 16 18:21 README.md\n"
    "-rw-r--r--  1 root root 10412 Aug 16 18:22 main.py\n": 73,
    "tests/test_one.py ........................................................ [ 50%]\n"
    "tests/test_two.py ........................................................ [100%]\n": 21,
    "Das Fenster ist alles, was das Modell bei einem Aufruf sieht. Was daraus entfernt wurde, liegt noch immer "
    "auf der Festplatte und lässt sich später wiederfinden.": 33,
    "Окно содержит всё, что модель видит при одном вызове. Удалённое из него остаётся на диске, и его можно "
    "найти позже.": 33,
    "窗口是模型在一次调用中看到的全部内容。从中删除的东西仍然保存在磁盘上,以后还可以找到。": 29,
    "ウィンドウとは、モデルが一回の呼び出しで見るすべてのものです。取り除かれたものはディスクに残っています。": 37,
}


def by_hand(text: str) -> int:
    classes = {byte: number for number, (_, members) in enumerate(CLASSES, 1) for byte in members}
    numbers = [classes[byte] for byte in text.encode("utf-8", "surrogatepass")] + [0]
    return sum(WEIGHTS[first][second] for first, second in zip(numbers[0::2], numbers[1::2], strict=False))


def test_every_byte_is_in_one_class() -> None:
    assert sorted(byte for _, members in CLASSES for byte in members) == list(range(256))
    assert len(CLASSES) == 15
    assert min(class_table()) == 1


def test_weights_fit_a_byte_and_no_pair_is_free() -> None:
    assert [len(row) for row in WEIGHTS] == [16] * 16
    assert set(WEIGHTS[0]) == {0}
    assert all(2 <= weight <= 255 for row in WEIGHTS[1:] for weight in row)
    assert all(row[0] == min(row[1:]) for row in WEIGHTS[1:])


@pytest.mark.parametrize("text", COUNTED, ids=lambda text: text[:12].strip())
def test_near_the_true_count(text: str) -> None:
    """Held to 20% each: half of all texts are within 3%, one in twenty is 10% off or more."""
    assert abs(weigh(text) / UNIT - COUNTED[text]) <= 0.2 * COUNTED[text]


def test_total_of_the_true_counts_within_5_percent() -> None:
    assert abs(sum(map(weigh, COUNTED)) / UNIT / sum(COUNTED.values()) - 1) <= 0.05


@given(ANY_TEXT)
def test_sum_of_the_pairs(text: str) -> None:
    assert weigh(text) == by_hand(text)


@pytest.mark.parametrize("length", [1, 2, 511, 512, 513, 514, 1_025, 30_000, 100_000])
def test_sum_of_the_pairs_across_pieces(length: int) -> None:
    text = "Ab 1é€ 漢🚀\n--{}" * (length // 13 + 1)
    assert weigh(text[:length]) == by_hand(text[:length])


def test_heaviest_bytes_do_not_wrap() -> None:
    """Two digits, then the first byte of an astral character: 255, the heaviest pair; 8,192 pass 65,521 many times."""
    text = "7\U0001f680" * 8_192
    assert max(max(row) for row in WEIGHTS) == 255
    assert weigh(text) == by_hand(text) > 65_521


@given(ANY_TEXT, ANY_TEXT)
def test_never_less_than_a_beginning(text: str, more: str) -> None:
    assert weigh(text) <= weigh(text + more)
    assert weigh(text) < weigh(text + more + "..")


def test_nothing_weighs_nothing() -> None:
    assert weigh("") == 0


def test_lone_surrogate_weighs_as_three_bytes() -> None:
    assert weigh("\ud800") == by_hand("\ud800") > 0
