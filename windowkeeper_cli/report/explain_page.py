"""The page of `explain`: header, decisions, refusals, totals, what to type next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.ledger import DecisionLine
from windowkeeper_cli.report.explain import Explanation, Visited
from windowkeeper_cli.report.explain_document import limit_of, over_limit
from windowkeeper_cli.report.explain_rows import decision_rows
from windowkeeper_cli.report.explain_totals import refusal_table, totals
from windowkeeper_cli.report.heading import (
    STDIN,
    acts_on,
    counter_words,
    footer_lines,
    limit_parts,
    moment,
    session_line,
)
from windowkeeper_cli.report.sheet import (
    BAD,
    CHANGE,
    NUMBER,
    WARN,
    WORD,
    Block,
    Change,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Part,
    Prose,
    Sheet,
    Table,
)


def sheet(explanation: Explanation) -> Sheet:
    """Return the page of one call, or of every visit that engaged."""
    blocks = list(_all_visits(explanation) if explanation.every else _one_call(explanation))
    return Sheet(tuple(blocks), footer_lines(explanation.subject, explanation.assumed), tuple(_next(explanation)))


def _one_call(explanation: Explanation) -> Iterator[Block]:
    visited = explanation.visits[0]
    subject, visit = explanation.subject, visited.step.visit
    yield _header(explanation, visited)
    number = visited.call.number
    new = visited.step.lines
    standing = explanation.shown_standing(visited)
    if new:
        yield decision_rows(subject, new, with_call=False, all_rows=explanation.all_rows)
    if standing:
        title = f"in force from earlier calls ({len(standing):,})"
        yield decision_rows(subject, standing, with_call=True, all_rows=explanation.all_rows, title=title)
    if not new and not standing:
        yield Prose(_nothing(explanation, visited))
    elif not new:
        yield Prose(_quiet(explanation, visited))
    if visit is not None and visit.refusals:
        yield refusal_table(visit.refusals, f"refused to leave at call {number}")
    moved = totals(subject, (*new, *standing))
    if moved is not None:
        yield moved


def _header(explanation: Explanation, visited: Visited) -> Lines:
    subject, step, window = explanation.subject, visited.step, visited.window
    visit = step.visit
    number = visited.call.number
    call: Part = ("call", number, "(next)") if visited.is_next else ("call", number)
    parts: list[Part] = [call]
    if visited.call.time:
        parts.append((moment(visited.call.time),))
    if explanation.cold:
        parts.append(("as a cold start",))
    lines = [session_line(subject, *parts)]
    before = window.tokens if visit is None else visit.tokens_before
    after = window.tokens
    limit = limit_of(explanation, visited)
    tokens: list[Part] = [(Change(before, after) if before != after else after, counter_words(subject))]
    if limit is None:
        tokens += limit_parts(subject.policy, None)
    else:
        target = visit.target if visit is not None else subject.policy.settings.budget.goal
        tokens += [("limit", limit)] + ([("target", target)] if target is not None else [])
    lines.append(Line("tokens", tuple(tokens)))
    lines.append(Line("trigger", tuple(_trigger(visited))))
    lines.append(Line("window", tuple(_window(visited))))
    lines.extend(_missed(visited, limit))
    return Lines(tuple(lines))


def _trigger(visited: Visited) -> Iterator[Part]:
    visit = visited.step.visit
    if visit is None:
        yield ("none: the strategy did not engage at this call",)
        yield (len(visited.in_force), "in force")
        return
    yield (visit.trigger,)
    yield ("moved", f"{visit.new:,} new,", visit.in_force, "in force")
    yield ("recalled", visit.recalled)
    yield ("refused", len(visit.refusals))
    if visit.broke_at is not None:
        yield (f"the cached prefix ends before item {visit.broke_at:,}",)


def _window(visited: Visited) -> Iterator[Part]:
    window = visited.window
    total = window.full + window.truncated + window.stub + window.cleared + window.out
    yield (window.full, "of", total, "items in full")
    for count, word in (
        (window.truncated, "truncated"),
        (window.stub, "as stubs"),
        (window.cleared, "cleared"),
        (window.out, "out"),
        (window.inserted, "text of ours" if window.inserted == 1 else "texts of ours"),
    ):
        if count:
            yield (count, word)


def _missed(visited: Visited, limit: int | None) -> Iterator[Line]:
    """Yield what must be said plainly: a window over the limit, a re-plan that missed its target."""
    over = over_limit(visited, limit)
    if over is not None:
        yield Line("over", ((Marked(f"{over['by']:,} tokens over the limit; sent as it is", BAD),),))
    visit = visited.step.visit
    held = dict(visit.target_missed) if visit is not None else {}
    if held and visit is not None and visit.target is not None:
        missed = visited.window.tokens - visit.target
        parts: list[Part] = [(Marked(f"the target by {missed:,} tokens; held by", WARN),)]
        parts += [(rule, tokens) for rule, tokens in held.items()]
        yield Line("missed", tuple(parts))
    elif over is not None and isinstance(over["holds"], dict) and over["holds"]:
        yield Line("held by", tuple((rule, tokens) for rule, tokens in over["holds"].items()))


def _nothing(explanation: Explanation, visited: Visited) -> str:
    window, limit = visited.window, limit_of(explanation, visited)
    strategy = explanation.subject.policy.settings.strategy
    if limit is None:
        found = acts_on(explanation.subject.policy)
        if found is None:
            return f"Nothing has left: the strategy {strategy} keeps every item in the window."
        return (
            f"Nothing has left: all {window.full:,} items are in the window of {window.tokens:,} tokens in full; "
            f"{strategy} acts on {found[0]}."
        )
    room = limit - window.tokens
    if room < 0:
        return f"Nothing has left, and the window of {window.tokens:,} tokens is {-room:,} over the limit of {limit:,}."
    return (
        f"Nothing has left: at call {visited.call.number} the window of {window.tokens:,} tokens is "
        f"{room:,} under the limit of {limit:,}, and all {window.full:,} items are in it in full."
    )


def _quiet(explanation: Explanation, visited: Visited) -> str:
    last = explanation.last_decided
    since = "" if last is None else f"; the last call that decided something is {last}"
    return f"Nothing new left at call {visited.call.number}{since}."


def _all_visits(explanation: Explanation) -> Iterator[Block]:
    subject = explanation.subject
    visits = [visited for visited in explanation.visits if visited.step.visit is not None]
    settings = subject.policy.settings
    tokens: tuple[Part, ...] = ((counter_words(subject),),)
    if visits and visits[-1].step.visit is not None and visits[-1].step.visit.limit is not None:
        tokens = (*tokens, ("limit", settings.budget.limit), ("target", settings.budget.goal))
    total = len(subject.transcript.calls)
    engaged: Part = ("engaged at", len(visits), "of", total + 1, "calls (the next one included)")
    yield Lines((session_line(subject), Line("tokens", tokens), Line("visits", (engaged,))))
    if not visits:
        yield Prose("No visit engaged: nothing ever left the window.")
        return
    yield Table(_VISIT_COLUMNS, tuple(_visit_row(visited) for visited in visits))
    for visited in visits:
        if visited.step.lines:
            yield decision_rows(
                subject,
                visited.step.lines,
                with_call=False,
                all_rows=explanation.all_rows,
                title=f"call {visited.call.number}",
            )


_VISIT_COLUMNS = (
    Column("call", "call", NUMBER),
    Column("trigger", "trigger", WORD),
    Column("tokensBefore", "tokens", CHANGE, "tokensAfter"),
    Column("new", "new", NUMBER),
    Column("inForce", "in force", NUMBER),
    Column("recalled", "recalled", NUMBER),
    Column("refused", "refused", NUMBER),
)


def _visit_row(visited: Visited) -> tuple[int | str | Change | Marked, ...]:
    visit = visited.step.visit
    assert visit is not None
    after = visit.tokens_after if visit.tokens_after != visit.tokens_before else None
    return (
        visit.call,
        visit.trigger,
        Change(visit.tokens_before, after),
        visit.new,
        visit.in_force,
        visit.recalled,
        len(visit.refusals),
    )


def _next(explanation: Explanation) -> Iterator[Command]:
    subject = explanation.subject
    if subject.name == STDIN:
        return
    target = (subject.name, *subject.words)
    lines = [line for visited in explanation.visits for line in (*visited.step.lines, *visited.standing)]
    gone = _worth_recalling(lines)
    if gone is not None:
        yield Command(
            ("windowkeeper", "recall", gone, *target, *(subject.policy.words if _is_ours(lines, gone) else ()))
        )
    call = explanation.visits[0].call.number if explanation.visits else 0
    last = explanation.last_decided
    if not explanation.every and last is not None and last != call:
        yield Command(("windowkeeper", "explain", *target, *subject.policy.words, "--call", str(last)))
    more = ("dropped", *target, *subject.policy.words) if gone else ("info", *target)
    yield Command(("windowkeeper", *more))


def _worth_recalling(lines: Sequence[DecisionLine]) -> str | None:
    """Return the id of the largest item that is a stub, truncated or cleared now, else of a text of ours."""
    moved = [line for line in lines if line.at is not None and line.form_after < Form.FULL]
    if moved:
        return max(moved, key=lambda line: line.tokens_before - line.tokens_after).item
    return next((line.item for line in lines if line.at is None and line.action == "insert"), None)


def _is_ours(lines: Sequence[DecisionLine], item: str) -> bool:
    return any(line.item == item and line.at is None for line in lines)
