"""`policy`: the pages hold every key and every built-in, the documents fit their schemas (spec/3)."""

from __future__ import annotations

import pytest

from tests.policy.known import STRATEGIES, load
from tests.report.made import fits, page
from windowkeeper_cli.policy import Loaded, built_in, built_in_names
from windowkeeper_cli.policy.keys import BY_PATH
from windowkeeper_cli.policy.preset import built_in_rows
from windowkeeper_cli.report.policy import PolicyCheck, PolicyList, PolicyShow
from windowkeeper_cli.report.subject import NamedPolicy

GIVEN = '{"budget": {"max": 100000,\n "reserve": 20000}, "protect": {"tags": ["\\u001b[31m", "é"]}}'


def shown(loaded: Loaded, origin: str = "file") -> PolicyShow:
    """Return the report `policy show` on a policy."""
    named = NamedPolicy(loaded.name, loaded.id, loaded.settings, origin)
    return PolicyShow(loaded, named, STRATEGIES.reads(loaded.settings.strategy))


def test_show_has_every_key_with_its_value_and_origin() -> None:
    rows = [line.split("  ") for line in page(shown(load(GIVEN))).split("\n")]
    cells = {row[0]: [cell.strip() for cell in row[1:] if cell] for row in rows if row[0] in BY_PATH}
    assert list(cells) == sorted(BY_PATH, key=lambda path: _order(path, "windowkeeper"))
    # By hand: (100,000 - 20,000) / 2.
    assert cells["budget.target"] == ["40,000", "half of the limit"]
    assert cells["budget.reserve"] == ["20,000", "policy.json:2"]
    assert cells["budget.idleSeconds"] == ["not set", "default"]
    assert cells["protect.tags"] == ['["\\u001b[31m", "é"]', "policy.json:2"]


def _order(path: str, strategy: str) -> tuple[bool, int]:
    section = path.rpartition(".")[0]
    return section not in ("", *STRATEGIES.reads(strategy)), list(BY_PATH).index(path)


@pytest.mark.parametrize("width", [80, 140, None])
def test_show_fits_its_width(width: int | None) -> None:
    lines = page(shown(load(GIVEN)), width).split("\n")
    assert width is None or max(map(len, lines)) <= width
    assert any("the last turns (6)" in line for line in lines)


def test_show_names_the_limit_only_where_it_counts() -> None:
    assert "limit 80,000 = max 100,000 - reserve 20,000" in page(shown(load(GIVEN)))
    assert "limit 1" not in page(shown(load(None, "none"), "built-in"))


def test_show_of_a_preset_says_where_its_figures_are_from() -> None:
    text = page(shown(built_in("windowkeeper-idle", strategies=STRATEGIES), "built-in"))
    assert "figures  windowkeeper's own figures" in text
    assert "(ours, measured)" in text


def test_list_has_every_built_in() -> None:
    text = page(PolicyList(built_in_rows(STRATEGIES)))
    assert [name for name in built_in_names(STRATEGIES) if f"\n{name} " not in text] == []


def test_documents_fit_their_schemas() -> None:
    loaded = load(GIVEN)
    fits(shown(loaded).document())
    fits(shown(built_in("windowkeeper-idle", strategies=STRATEGIES), "built-in").document())
    fits(shown(load(None, "none", "expire.tools.a=1"), "built-in").document())
    fits(PolicyList(built_in_rows(STRATEGIES)).document())
    fits(PolicyCheck("a.json", NamedPolicy(loaded.name, loaded.id, loaded.settings, "file"), 3).document())


def test_tables_have_a_cell_for_each_column() -> None:
    loaded = load(GIVEN)
    checked = PolicyCheck("a.json", NamedPolicy(loaded.name, loaded.id, loaded.settings, "file"), 1)
    for report in (shown(loaded), PolicyList(built_in_rows(STRATEGIES)), checked):
        table = report.table()
        assert {len(row) for row in table.rows} == {len(table.columns)}
        assert report.lines() is None
    assert len(shown(loaded).table().rows) == len(BY_PATH)


def test_check_names_a_file_so_that_it_is_no_built_in() -> None:
    loaded = load(GIVEN)
    named = NamedPolicy(loaded.name, loaded.id, loaded.settings, "file")
    assert "policy show -p ./none\n" in page(PolicyCheck("none", named, 1))
    assert "1 key given" in page(PolicyCheck("none", named, 1))
