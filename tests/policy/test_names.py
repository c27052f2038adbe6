"""What -p names (spec/3), and the presets that we ship (spec/6)."""

from __future__ import annotations

from pathlib import Path

import pytest

import windowkeeper_cli.policy.presets as presets
from tests.policy.known import READS, STRATEGIES
from windowkeeper_cli.model.errors import PolicyError
from windowkeeper_cli.policy import built_in, built_in_names, named, pyproject_policy
from windowkeeper_cli.policy.preset import built_in_rows


@pytest.mark.parametrize(
    ("text", "kind", "place", "attribute"),
    [
        ("none", "built-in", "none", ""),
        ("sliding-window", "built-in", "sliding-window", ""),
        ("policy.json", "path", "policy.json", ""),
        ("./none", "path", "./none", ""),
        ("a/b", "path", "a/b", ""),
        ("a\\b", "path", "a\\b", ""),
        ("./mine.py:attribute", "own", "./mine.py", "attribute"),
        ("package.module:Mine", "own", "package.module", "Mine"),
        ("module:attribute", "own", "module", "attribute"),
        ("C:\\policies\\a.json", "path", "C:\\policies\\a.json", ""),
        ("C:\\mine.py:attribute", "own", "C:\\mine.py", "attribute"),
        ("module:", "built-in", "module:", ""),
        ("", "built-in", "", ""),
    ],
)
def test_what_an_argument_names(text: str, kind: str, place: str, attribute: str) -> None:
    assert named(text) == (kind, place, attribute)


def test_every_built_in_name_is_known() -> None:
    assert built_in_names(STRATEGIES) == (*READS, *presets.PRESETS)
    assert built_in("none", strategies=STRATEGIES).settings.strategy == "none"
    assert built_in("compaction", strategies=STRATEGIES, overrides=["summarizeOldest.thresholdTokens=9"]).name == (
        "summarize-oldest"
    )


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("windowkeper", "did you mean windowkeeper or windowkeeper-idle?"),
        (
            "zzz\x1b",
            f"known: {', '.join((*STRATEGIES.names, *presets.PRESETS))}",
        ),
    ],
)
def test_an_unknown_name_shows_the_nearest(name: str, line: str) -> None:
    with pytest.raises(PolicyError) as caught:
        built_in(name, strategies=STRATEGIES)
    assert caught.value.problems == (
        f"-p {name.replace(chr(27), chr(92) + 'x1b')}: there is no built-in policy of that name; {line}"
        ' (a path holds a "/" or a ".")',
    )


def test_a_strategy_without_all_its_defaults_says_what_it_needs() -> None:
    with pytest.raises(PolicyError) as caught:
        built_in("sliding-window", strategies=STRATEGIES)
    assert str(caught.value).startswith("-p sliding-window: slidingWindow.keepRecentTurns: is not given, and")


@pytest.mark.parametrize("name", presets.PRESETS)
def test_a_preset_loads_and_says_where_it_is_from(name: str) -> None:
    loaded = built_in(name, strategies=STRATEGIES)
    assert loaded.name == name
    assert loaded.source
    assert loaded.certainty in presets.CERTAINTIES
    assert loaded.origin("strategy").word == "preset"
    row = next(row for row in built_in_rows(STRATEGIES) if row.name == name)
    assert row == (name, loaded.settings.strategy, loaded.source, loaded.certainty)


def test_the_presets_are_the_files() -> None:
    folder = Path(presets.__file__).parent
    assert sorted(file.stem for file in folder.glob("*.toml")) == sorted(presets.PRESETS)
    assert len(built_in_rows(STRATEGIES)) == len(built_in_names(STRATEGIES))


def test_windowkeeper_idle_is_as_published() -> None:
    loaded = built_in("windowkeeper-idle", strategies=STRATEGIES, overrides=["budget.max=90000"])
    assert loaded.settings.budget.idle_seconds == 300
    assert loaded.settings.budget.max == 90_000
    assert loaded.origin("budget.idleSeconds").word == "preset"


def test_the_table_of_a_pyproject() -> None:
    data = b'[project]\nname = "x"\n\n[tool.windowkeeper.budget]\nmax = 90000\n'
    loaded = pyproject_policy(data, "pyproject.toml", strategies=STRATEGIES, overrides=["trim.enabled=false"])
    assert loaded and loaded.settings.budget.max == 90_000 and not loaded.settings.trim.enabled
    assert loaded.origin("budget.max") == ("file", 5)


@pytest.mark.parametrize(
    "data", [b"", b"[project]\n", b"damaged = = \xff", b'name = "windowkeeper"', b"[tool.other]\nwindowkeeper = 1"]
)
def test_a_pyproject_without_the_table(data: bytes) -> None:
    assert pyproject_policy(data, "pyproject.toml", strategies=STRATEGIES) is None


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (
            b"[tool.windowkeeper\n",
            "pyproject.toml:1:19: is no TOML: expected ']' at the end of a table declaration; mend it",
        ),
        (
            b"[tool]\nwindowkeeper = 3",
            "pyproject.toml:2: the policy is the number 3; write an object of keys, or a table",
        ),
        (b"\n[tool.windowkeeper]\nmx = 3", "pyproject.toml:3: mx: unknown key; did you mean budget.max?"),
    ],
)
def test_a_pyproject_with_a_damaged_table(data: bytes, line: str) -> None:
    with pytest.raises(PolicyError) as caught:
        pyproject_policy(data, "pyproject.toml", strategies=STRATEGIES)
    assert caught.value.problems == (line,)
