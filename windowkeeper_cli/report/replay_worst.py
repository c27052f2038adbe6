"""Which sessions of a replay are the worst, and what opens each?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.replay.replay import Replayed
from windowkeeper_cli.report.replay import SEPARATORS, ReplayReport, SessionReplay
from windowkeeper_cli.report.sheet import BAD, NUMBER, TEXT, Cell, Column, Command, Marked, Table

WORST = 5
"""Sessions that are listed as the worst."""
SHORT, WIDE = 8, 40
"""Characters of a session's id, as a command takes them too, and of all that names it."""
LARGE = 1_000_000
"""Cost-weighted tokens from which a column counts millions."""


def worst_of(report: ReplayReport) -> list[SessionReplay]:
    """Return the sessions with most gaps under the last policy, then those that lose most, then by rise in cost."""
    if len(report.sessions) < 2:
        return []
    last = last_of(report)

    def badness(one: SessionReplay) -> tuple[int, int, float, str]:
        costs = one.rows[last].costs
        change = change_of([(one.rows[report.terms.against], one.rows[last])])
        return -len(one.rows[last].gaps or ()), -(costs.items_lost if costs else 0), -(change or 0), one.path

    return sorted((one for one in report.sessions if one.rows[last].costs), key=badness)[:WORST]


def last_of(report: ReplayReport) -> int:
    """Return the place of the last policy that ran on any session."""
    return max(place for place, row in enumerate(report.rows()) if row.costs is not None)


def worst_table(report: ReplayReport, worst: Sequence[SessionReplay]) -> Table:
    """Return the table of these sessions."""
    last = last_of(report)
    against, name = report.policies[report.terms.against].name, report.policies[last].name
    ran = [(one, one.rows[last].costs) for one in worst]
    millions = max(costs.cost_weighted for _, costs in ran if costs is not None) >= LARGE
    rows: list[tuple[Cell, ...]] = []
    for one, costs in ran:
        assert costs is not None
        change = change_of([(one.rows[report.terms.against], one.rows[last])])
        words: Cell = None if change is None or against == name else f"{change * 100:+.0f}%"
        lost: Cell = Marked(f"{costs.items_lost:,}", BAD) if costs.items_lost else 0
        cost = cost_words(costs.cost_weighted, millions)
        gaps = one.rows[last].gaps
        rows.append((title_of(one), one.calls, None if gaps is None else len(gaps), lost, cost, words))
    columns = (
        Column("session", "session", TEXT),
        Column("calls", "calls", NUMBER),
        Column("gaps", "gaps", NUMBER),
        Column("itemsLost", "lost", NUMBER),
        Column("costWeighted", "cost-weighted", NUMBER),
        Column("change", versus(against), NUMBER),
    )
    return Table(columns, tuple(rows), f"worst under {name} (the commands below open them, in this order)")


def title_of(one: SessionReplay) -> str:
    """Return the beginning of a session's id, its file's name where it has none, with its subagent and project."""
    agent = [] if one.agent is None else [one_line(f"--agent {one.agent}", WIDE // 2)]
    if one.session:
        return one_line(" ".join([one.session[:SHORT], *agent, one.project]), WIDE)
    room = WIDE - sum(len(word) + 1 for word in agent)
    return " ".join([one_line(SEPARATORS.split(one.path)[-1], room), *agent])


def versus(policy: str) -> str:
    """Return the heading of what differs from a policy; of a file its name alone, for a path takes others' room."""
    return f"vs {one_line(policy.rpartition('/')[2], WIDE // 2)}"


def command_for(report: ReplayReport, one: SessionReplay) -> Command:
    """Return the command that compares the last policy with the row of `--against` on one session."""
    terms = report.terms
    chosen = chosen_words(report, sorted({terms.against, last_of(report)}))
    return Command(("windowkeeper", "replay", *one.typed, *chosen, *terms.words, *terms.loading))


def chosen_words(report: ReplayReport, places: Iterable[int]) -> tuple[str, ...]:
    """Return the options that choose policies again; what is set is set once, for all of them."""
    names = [word for place in places for word in ("-p", report.policies[place].name)]
    sets = [word for key in report.policies[0].sets for word in ("--set", key)]
    return (*names, *sets)


def change_of(pairs: Sequence[tuple[Replayed, Replayed]]) -> float | None:
    """Return by what share the second of each pair costs more than the first, over the pairs where both ran."""
    costs = [(a.costs.cost_weighted, b.costs.cost_weighted) for a, b in pairs if a.costs and b.costs]
    before, after = sum(one for one, _ in costs), sum(one for _, one in costs)
    return after / before - 1 if before else None


def cost_words(tokens: float, millions: bool) -> str:
    """Return cost-weighted tokens as a page shows them."""
    return f"{tokens / LARGE:,.2f}M" if millions else f"{round(tokens):,}"
