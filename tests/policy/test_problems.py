"""Every fault of a policy file is told with its file, line and key; expected lines are written by hand."""

# Expected lines stand as they are printed.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.policy.known import STRATEGIES, load, problems
from windowkeeper_cli.model.errors import PolicyError
from windowkeeper_cli.policy import load_policy

BAD = """\
{"budget": {"max": "4000", "mx": 3,
            "target": true, "reserve": 1.5},
 "budgets": {},
 "max_tokens_each": 4,
 "protect": {"tags": ["a", 3,
                      ""]},
 "toolResults": {"keepErrorsTurns": true, "keepErrors": 0, "keepHead": 0.7, "keepTail": 0.3},
 "check": {"max": {"gaps": {"reRead": 1}, "": 3, "x": -1}, "min": 3},
 "resurface": 3,
 "clearToolResults": {"mode": "some"}}
"""
BAD_PROBLEMS = (
    'policy.json:1: budget.max: found the text "4000"; write a whole number of 1 or more',
    "policy.json:1: budget.mx: unknown key; did you mean budget.max?",
    "policy.json:2: budget.target: found true; write a whole number of 0 or more",
    "policy.json:2: budget.reserve: found the number 1.5; write a whole number of 0 or more",
    "policy.json:3: budgets: unknown key; did you mean budget?",
    "policy.json:4: max_tokens_each: unknown key; did you mean toolResults.maxTokensEach?",
    "policy.json:5: protect.tags[1]: found the number 3; write a text that is not empty",
    'policy.json:6: protect.tags[2]: found the text ""; write a text that is not empty',
    "policy.json:7: toolResults.keepErrorsTurns: found true; write a whole number of 0 or more, or false",
    "policy.json:7: toolResults.keepErrors: found the number 0; write true or false",
    "policy.json:7: toolResults.keepHead, toolResults.keepTail: keepHead 0.7 + keepTail 0.3 leaves nothing to cut;"
    " make their sum less than 1",
    'policy.json:8: check.max.gaps: found an object; write a dotted name in quotes ("gaps.reRead")',
    "policy.json:8: check.max.: a name is empty; name it",
    "policy.json:8: check.max.x: found the number -1; write a number of 0 or more",
    "policy.json:8: check.min: found the number 3; write an object that gives names a number of 0 or more",
    "policy.json:9: resurface: found the number 3; write an object with keys of identifiers, maxItems",
    'policy.json:10: clearToolResults.mode: found the text "some"; write "all" or "fit"',
)


def test_all_problems_of_a_file_are_told_at_once() -> None:
    assert sorted(problems(BAD)) == sorted(BAD_PROBLEMS)
    lines = [int(problem.split(":")[1]) for problem in problems(BAD)]
    assert lines == sorted(lines)


ONE = {
    # Wrong values.
    '{"toolResults": {"maxTokensEach": 4000.0}}': ':1: toolResults.maxTokensEach: found the number 4000.0; write a whole number of 1 or more',
    '{"budget": {"backoff": -0.1}}': ":1: budget.backoff: found the number -0.1; write a number of 0 or more",
    '{"budget": {"idleSeconds": 0}}': ":1: budget.idleSeconds: found the number 0; write a number over 0",
    '{"tiered": {"targetShare": 1.5}}': ":1: tiered.targetShare: found the number 1.5; write a number over 0, at most 1",
    '{"protect": {"pinned": 1}}': ":1: protect.pinned: found the number 1; write true or false",
    '{"prices": {"cacheRead": true}}': ":1: prices.cacheRead: found true; write a number of 0 or more",
    '{"trim": {"enabled": "true"}}': ':1: trim.enabled: found the text "true"; write true or false',
    '{"budget": {"max": 10000000000000}}': ":1: budget.max: found the number 10000000000000; write a whole number of 1 or more, at most 1,000,000,000,000",
    '{"budget": {"max": false}}': ":1: budget.max: found false; write a whole number of 1 or more",
    '{"protect": {"tags": "decision"}}': ':1: protect.tags: found the text "decision"; write a list of texts, none of them empty',
    '{"protect": {"tags": [null]}}': ":1: protect.tags[0]: found null; write a text that is not empty",
    '{"expire": {"tools": {"bash": 1.5}}}': ":1: expire.tools.bash: found the number 1.5; write a whole number of 0 or more",
    '{"strategy": 3}': ":1: strategy: found the number 3; write the name of a strategy",
    '{"strategy": ""}': ':1: strategy: found the text ""; write the name of a strategy',
    # Names that are not there.
    '{"strategy": "sliding_window"}': ':1: strategy: there is no strategy "sliding_window"; did you mean sliding-window?',
    '{"toolResults": {"max_tokens_each": 1}}': ":1: toolResults.max_tokens_each: unknown key; did you mean toolResults.maxTokensEach?",
    '{"pins": {"recentTurns": 1}}': ":1: pins.recentTurns: unknown key; did you mean protect.recentTurns?",
    '{"trim": {"zzz": 1}}': ":1: trim.zzz: unknown key; known in trim: enabled",
    '{"\\u001b[31m\\u202emax": 1}': ":1: \\x1b[31m\\u202emax: unknown key; did you mean budget.max?",
    # Keys that disagree.
    '{"budget":\n{"max": 100000,\n"target": 90000}}': ":3: budget.target, budget.max, budget.reserve: target 90000 is over the limit 84000 (max 100000 - reserve 16000); lower the target, or raise max",
    '{"budget": {"max": 16000}}': ":1: budget.max, budget.reserve: nothing is left of max 16000 after reserve 16000; make max larger than reserve",
    '{"check": {"min": {"x": 2},\n"max": {"x": 1}}}': ":2: check.min.x, check.max.x: x must be at least 2 and at most 1; change one of them",
    '{"strategy":\n"sliding-window"}': ":1: slidingWindow.keepRecentTurns: is not given, and sliding-window has no default for it; write a whole number of 1 or more, in the file or by --set slidingWindow.keepRecentTurns=N",
    # Patterns.
    '{"protect": {"patterns": ["ok",\n"a("]}}': ':2: protect.patterns[1]: the regular expression "a(" does not compile: missing ), unterminated subpattern at character 2; mend it',
    '{"protect": {"patterns": ["[[a]"]}}': ':1: protect.patterns[0]: the regular expression "[[a]" may change its meaning: Possible nested set at position 1; mend it',
    '{"protect": {"patterns": ["a{99999999999999999999}"]}}': ':1: protect.patterns[0]: the regular expression "a{99999999999999999999}" does not compile: it is too large; mend it',
    # Damaged texts.
    "": ":1:1: is empty; write {} for a policy that is all defaults",
    " \n": ":2:1: is empty; write {} for a policy that is all defaults",
    "[]": ":1: the policy is an empty list; write an object of keys, or a table",
    '{"trim": {"enabled": true,}}': ':1:27: "}" stands where a key in double quotes is needed; remove the comma before it',
    '{"protect": {"tags": ["a",]}}': ':1:27: "]" stands where a value is needed; remove the comma before it, or write a value',
    "// a policy\n{}": ':1:1: "/" stands where a value is needed; JSON has no comments; TOML has',
    "{# x\n}": ':1:2: "#" stands where a key in double quotes is needed; JSON has no comments; TOML has',
    '{"budget": {"max": NaN}}': ":1:20: NaN is no JSON value; numbers are finite",
    '{"budget": {"max": -Infinity}}': ":1:20: -Infinity is no JSON value; numbers are finite",
    '{"budget": {"max": 1e999}}': ":1:20: the number 1e999 is too large; numbers are finite",
    '{"strategy": none}': ":1:14: none is no JSON value; put a text in double quotes",
    '{"trim": {"enabled": true}': ':1:27: the end of the file stands where "," is needed; mend it',
    '{"trim" {}}': ':1:9: "{" stands where ":" is needed; mend it',
    "{} x": ':1:4: "x" follows the end of the document; remove it',
    '{"a\nb": 1}': ":1:4: a text does not end on its line; close it with a double quote, or write \\n for a line end",
    '{"a\\x": 1}': ":1:4: a text holds a backslash that begins no escape of JSON; double it",
    '{"a\tb": 1}': ":1:4: a text holds the control character \\x09; write it as an escape",
    '{"é": "\\ud800"}': ":1:7: a text holds half a character (\\ud800); write both halves, or neither",
    '{"trim": {"enabled": true,\n"enabled": false}}': ":2: trim.enabled: is given twice, on line 1 and here; keep one of them",
    "[" * 10_000: ":1:34: is nested more than 32 levels deep; a policy has three levels",
    '{"a": ' + "9" * 10_000 + "}": ":1:7: a number has 10,000 characters; write it with 30 at most",
}  # fmt: skip


@pytest.mark.parametrize("data", list(ONE), ids=lambda data: data[:40])
def test_one_problem(data: str) -> None:
    assert problems(data) == (f"policy.json{ONE[data]}",)


TOML = {
    "[budget\n": ":1:8: is no TOML: expected ']' at the end of a table declaration; mend it",
    "x = ": ":1:5: is no TOML: invalid value; mend it",
    "[budget]\nmax = 'a'": ":2: budget.max: found the text \"a\"; write a whole number of 1 or more",
    "# x\n[budget]\n\nbackoff = nan": ":4: budget.backoff: found the number nan; write a number of 0 or more",
    "budget.backoff = inf": ":1: budget.backoff: found the number inf; write a number of 0 or more, at most 1,000,000,000,000",
    "[budget]\nmax = 1979-05-27": ":2: budget.max: found a date or time; write a whole number of 1 or more",
    "[[budget]]\nmax = 3": ":1: budget: found a list of 1; write an object with keys of max, target, reserve, stopAtTarget, backoff, idleSeconds",
    "[check.max]\ngaps.reRead = 3": ':2: check.max.gaps: found an object; write a dotted name in quotes ("gaps.reRead")',
    "[check]\nmax = 3\n[check.min]\nx = 'a'": None,
    "a = " + "[" * 10_000: ":1:38: is nested more than 32 levels deep; a policy has three levels",
    "a" + ".a" * 10_000 + " = 1": ":1:65: is nested more than 32 levels deep; a policy has three levels",
    "budget.max = 0x" + "f" * 10_000: ":1: budget.max: found the number of thousands of digits; write a whole number of 1 or more, at most 1,000,000,000,000",
    "budget.max = " + "9" * 10_000: ":1:14: a number has too many digits; write it shorter",
}  # fmt: skip


@pytest.mark.parametrize("data", [data for data, line in TOML.items() if line], ids=lambda data: data[:30])
def test_one_problem_of_toml(data: str) -> None:
    assert problems(data, "policy.toml") == (f"policy.toml{TOML[data]}",)


def test_the_figures_that_check_may_bound_are_known_by_name() -> None:
    def bound(data: bytes) -> None:
        load_policy(data, "p.json", strategies=STRATEGIES, figures=("itemsLost", "gaps", "gaps.reRead"))

    bound(b'{"check": {"max": {"gaps.reRead": 0, "gaps": 1}}}')
    with pytest.raises(PolicyError) as caught:
        bound(b'{"check": {"max": {"gaps": 1,\n"itemLost": 0}}}')
    assert caught.value.problems == ("p.json:2: check.max.itemLost: there is no such figure; did you mean itemsLost?",)


def test_toml_problems_stand_at_their_lines() -> None:
    assert problems("[check]\nmax = 3\n[check.min]\nx = 'a'", "a.toml") == (
        "a.toml:2: check.max: found the number 3; write an object that gives names a number of 0 or more",
        'a.toml:4: check.min.x: found the text "a"; write a number of 0 or more',
    )


def test_bytes_that_are_no_text() -> None:
    assert problems(b'{"a": "\xc3\xa9",\n"\xff": 1}') == (
        "policy.json:2:2: the byte 0xff is no UTF-8; save it as UTF-8",
    )
    assert problems("{}".encode("utf-16")) == (
        "policy.json:1:1: is no UTF-8 (it begins as UTF-16 does); save it as UTF-8",
    )
    assert load(b'\xef\xbb\xbf{"trim": {"enabled": false}}').settings.trim.enabled is False
    assert load(b"\xef\xbb\xbf[trim]\nenabled = false", "p.toml").settings.trim.enabled is False


def test_a_file_that_is_no_policy_by_its_size() -> None:
    assert problems(b" " * 1_000_001) == (
        "policy.json:1:1: is a file of 1,000,001 bytes, and a policy has at most 1,000,000; name a policy file",
    )


def test_many_problems_are_cut_with_their_number() -> None:
    found = problems("{" + ",".join(f'"key{number}": 1' for number in range(5_000)) + "}")
    assert len(found) == 101
    assert found[-1] == "and 4,900 more problems; mend these first"


def test_a_hostile_file_name_is_escaped() -> None:
    assert problems("3", "a\x1b[31m\nb/x.json")[0].startswith("a\\x1b[31m\\x0ab/x.json:1: ")


def test_a_problem_of_one_key_does_not_hide_keys_that_disagree_elsewhere() -> None:
    found = problems('{"budget": {"mx": 1, "max": 5}, "trim": 3}')
    assert [problem.split(": ")[1] for problem in found] == ["budget.mx", "budget.max, budget.reserve", "trim"]
