"""What is an identifier, and where does it stand: the table of spec/4, with near misses."""

from __future__ import annotations

import pytest

from windowkeeper_cli.model.block import Text
from windowkeeper_cli.rules.holders import request_names
from windowkeeper_cli.rules.identifiers import identifiers, stands_in
from windowkeeper_cli.rules.well_known import WELL_KNOWN

FOUND = {
    # paths of two or more segments, file names with an extension
    "see src/auth/redis.ts.": ["src/auth/redis.ts"],
    "src/auth": ["src/auth"],
    "(src/a.ts), src/b.ts;": ["src/a.ts", "src/b.ts"],
    "./a.py and ../lib/b.py": ["a.py", "../lib/b.py"],
    "open build.log": ["build.log"],
    "foo.tar.gz": ["foo.tar.gz"],
    "redis.ts:12": ["redis.ts"],
    r"C:\Users\x\file.txt": [r"C:\Users\x\file.txt"],
    "日本/語.txt": ["日本/語.txt"],
    # URLs with a path or a port
    "https://acme.dev/x": ["https://acme.dev/x"],
    "https://acme.dev:8443": ["https://acme.dev:8443"],
    # hashes: seven or more hex digits, one of them a digit
    "at a1b2c3d": ["a1b2c3d"],
    "1234567": ["1234567"],
    # ids with two digits and a separator
    "JIRA-1234 and PR#12, v1.2.3": ["JIRA-1234", "PR#12", "v1.2.3"],
    "ab-12": ["ab-12"],
    # compound names
    "os.path.join": ["os.path.join"],
    "Vec::new and std::vec::Vec": ["Vec::new", "std::vec::Vec"],
    "max_retry_count, MAX_RETRIES": ["max_retry_count", "MAX_RETRIES"],
    "camelCase and PascalCase": ["camelCase", "PascalCase"],
    # quoted or backticked, without blanks
    "`q-7`": ["q-7"],
    "'kebab-case' and \"heLlo\"": ["kebab-case", "heLlo"],
    "`abcdefghijklmnop`": ["abcdefghijklmnop"],
    # an archive id
    'recall("76e09c97975b")': ["76e09c97975b"],
    # each once, in order of appearance
    "b.py a.py b.py": ["b.py", "a.py"],
}
NOTHING = (
    "a1b2c3", "deadbeef", "12345", "3.14159", "https://acme.dev", "#123", "x.1", "kebab-case", "Hello", "CAMEL",
    "`Hello`", "'abcdefghijklmno'", "'two words'", "don't say it isn't", "x=1", "--flag", "Error: foo", "file.", "e.g.",
    "/dev/null", "localhost", "localhost:3000", "example.com", "and/or", "README.md", "GitHub", "ValueError", "",
)  # fmt: skip


@pytest.mark.parametrize("text", FOUND)
def test_what_is_found(text: str) -> None:
    assert [found.name for found in identifiers(text)] == FOUND[text]


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_none(text: str) -> None:
    assert identifiers(text) == ()


@pytest.mark.parametrize("text", ["ABCDEF12", "DEADBEEF42", ".eslintrc.json", "data.7z"])
def test_capital_hashes_dotfiles_and_endings_that_begin_with_a_digit(text: str) -> None:
    assert [found.name for found in identifiers(text)] == [text]


def test_well_known_names_are_none_whatever_the_quotes() -> None:
    for name in sorted(WELL_KNOWN):
        assert identifiers(f'say "{name}"') == (), name


STANDS = (
    ("src/auth/redis.ts", "/w/src/auth/redis.ts", True),
    ("src/auth/redis.ts", "auth/redis.ts:12", True),
    ("src/auth/redis.ts", "redis.ts", False),
    ("src/auth/redis.ts", "xauth/redis.ts", False),
    ("src/auth/redis.ts", "src/auth/redis.tsx", False),
    ("redis.ts", "src/auth/redis.ts", True),
    ("redis.ts", "my-redis.ts", False),
    ("redis.ts", "redis.ts.bak", False),
    ("redis.ts", "It is redis.ts.", True),
    ("JIRA-1234", "JIRA-12345", False),
    ("JIRA-1234", "XJIRA-1234", False),
    ("JIRA-1234", "JIRA-1234-b", False),
    ("JIRA-1234", "(JIRA-1234)", True),
    ("https://a.dev/run/7", "https://a.dev/run/77", False),
    ("https://a.dev/run/7", "https://a.dev/run/7/log", False),
    ("https://a.dev/run/7", "<https://a.dev/run/7>", True),
    ("os.path.join2", "x.os.path.join2", False),
    ("snake_case", "snake_case_x", False),
    ("camelCase", "camelCase2", False),
    ("deadbeef01", "0xdeadbeef01", False),
    ("v1.2.3", "v1.2.3.4", False),
    ("cache::evict", "cache::evict(1)", True),
    ("JIRA-1234", "éJIRA-1234", False),
    ("JIRA-1234", "jira-1234", False),
)


@pytest.mark.parametrize(("name", "text", "stands"), STANDS)
def test_where_a_name_stands(name: str, text: str, stands: bool) -> None:
    (identifier,) = identifiers(name)
    assert stands_in(identifier, text) is stands


@pytest.mark.parametrize("text", ["my::cache::evict", "cache::evict::all"])
def test_a_name_inside_a_longer_one_with_colons(text: str) -> None:
    (identifier,) = identifiers("cache::evict")
    assert not stands_in(identifier, text)


@pytest.mark.parametrize(("size", "names"), [(2_000, 1), (2_001, 0)])
def test_a_message_over_2000_characters_gives_none(size: int, names: int) -> None:
    text = "src/a.ts " + "x" * (size - 9)
    assert len(text) == size
    assert len(request_names((Text(text),))) == names


@pytest.mark.parametrize("digits", ["\u0967\u0968", "\uff11"])
def test_only_ascii_digits_number_a_line(digits: str) -> None:
    # Unicode 15 and 16 added digits, so what `\d` matches differs between Python 3.11 and 3.14.
    assert [found.name for found in identifiers(f"redis.ts:{digits}")] != ["redis.ts"]
