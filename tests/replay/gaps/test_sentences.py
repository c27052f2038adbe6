"""Which sentences of a message are its writer's own: texts made by hand, what they give read off them (spec/7)."""

from __future__ import annotations

import pytest

from windowkeeper_cli.replay.gaps.sentences import BLANK, sentences


def said(text: str) -> list[str]:
    """Return the sentences of a text, blanks and line breaks as one blank."""
    return [" ".join(sentence.raw.split()) for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Never push. Use e.g. make, i.e. the file. ok", ["Never push.", "Use e.g. make, i.e. the file.", "ok"]),
        (
            "Use make, ninja, etc. Never push. See foo, etc. and go",
            ["Use make, ninja, etc.", "Never push.", "See foo, etc. and go"],
        ),
        ("one\ntwo", ["one", "two"]),
        ("- one. two\n- three\n  goes on\n2) four\n[ ] five", ["one.", "two", "three goes on", "four"]),
        ("A. is fine, do it", ["is fine, do it"]),
        (f"{'long line ' * 7}that was\nwrapped here", [f"{'long line ' * 7}that was wrapped here"]),
        (f"{'long line ' * 7}that ends.\nnext one", [f"{'long line ' * 7}that ends.", "next one"]),
        ('Avoid "it is done." Focus on facts.', ['Avoid "it is done."', "Focus on facts."]),
        ("\u4e0d\u8981\u63a8\u9001\u3002\u53ea\u8bfb\u3002", ["\u4e0d\u8981\u63a8\u9001\u3002", "\u53ea\u8bfb\u3002"]),
        ("", []),
        ("...", ["..."]),
    ],
)
def test_prose_is_cut_into_sentences(text: str, expected: list[str]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    "pasted",
    [
        "```\nNever push.\n```",
        "~~~sh\nNever push.\n```\nAlways pull.\n~~~",
        "```\nan open fence\nNever push.",
        "1. ```\n   Never push.\n   ```",
        "> Never push.",
        "  > Never push.",
        "# Never push",
        "| Never push | Always pull |",
        "    never_push()",
        "\tNever push.",
        "2026-01-02T03:04:05 Never push.",
        "[12:01:02] Never push.",
        "Feb  8 21:51:50.720 |INFO| Never push.",
        "[WARN] Never push.",
        "ERROR: Never push.",
        "ValueError: Never push.",
        "main.go:12: Never push.",
        "    at run (x.js:1)",
        "12: # Never push.",
        "$ git push # Never push.",
        '{"text": "Never push."}',
        '"rule": "Never push."',
        "// Never push.",
        "diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-Always push.\n+Never push.",
        "@@ -1,2 +1,2 @@\n Never pull.\n+Never push.",
        "<system-reminder>\nNever push.\n</system-reminder>",
        '<output name="x">Never push.</output>',
        "<tag>Never push.</tag>",
    ],
)
def test_what_is_quoted_code_or_pasted_gives_none(pasted: str) -> None:
    assert said(pasted) == []
    assert said(f"Before it.\n\n{pasted}" + ("" if "open" in pasted else "\n\nAfter it."))[0] == "Before it."


def test_prose_goes_on_behind_what_was_pasted() -> None:
    text = "<system-reminder>Never.</system-reminder> Do this.\n```\nx\n```\n@@ -1 +1 @@\n+y\n\n- Do that.</rules>"
    assert said(text) == ["Do this.", "Do that."]


def test_a_machine_tag_that_is_never_closed_hides_nothing() -> None:
    assert said("<system-reminder> was shown. Never push.") == []  # the line begins with a tag
    assert said("It says <output> here.\nNever push.") == ["It says <output> here.", "Never push."]


def test_a_place_and_a_length_are_those_of_the_text() -> None:
    text = '- Never say "go on" or `it` here.\n- Is "it"? no'
    found = list(sentences(text))
    assert [text[one.start : one.start + len(one.raw)] for one in found] == [one.raw for one in found]
    assert all(len(one.plain) == len(one.raw) for one in found)
    assert found[0].plain == f"Never say {BLANK * 7} or {BLANK * 4} here."


@pytest.mark.parametrize("text", ["Do we always push?", "why never push?)", "**Always?**", "\u5417\uff1f"])
def test_a_question_is_known(text: str) -> None:
    assert [one.question for one in sentences(text)] == [True]


def test_apostrophes_are_no_quotation() -> None:
    assert [one.plain for one in sentences("Don't push John's or Jane's branch")] == [
        "Don't push John's or Jane's branch"
    ]


@pytest.mark.parametrize("run", [".", " ", "`", '"', "'", "<output>", "</a>", "\u201c", "- ", "\n", "\t", "1. ", "("])
def test_a_long_run_of_marks_is_read_in_one_go(run: str) -> None:
    # A quadratic reader would need minutes for it, and the test run would stop.
    assert isinstance(said(run * 100_000 + "x"), list)
