"""The answer of `trace` in sentences: in the window or not, since when and by which rule, and what still names it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.replay.trace import GAP, LEFT, Event, Trace
from windowkeeper_cli.replay.trace_names import MARKER, SHORTEST, STUB, Namer
from windowkeeper_cli.replay.trace_target import ID, WORDS
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.subject import Subject

NOUNS = {
    "read": ("read", "reads"),
    "write": ("write", "writes"),
    "edit": ("edit", "edits"),
    "list": ("listing", "listings"),
    "fetch": ("fetch", "fetches"),
    "shell": ("run", "runs"),
    "search": ("search", "searches"),
    "find": ("search", "searches"),
    "web-search": ("search", "searches"),
    "other": ("call", "calls"),
    "result": ("tool result", "tool results"),
    "request": ("request", "requests"),
    "message": ("message of a person", "messages of a person"),
    "model": ("message of the model", "messages of the model"),
    "harness": ("message of the harness", "messages of the harness"),
    "system": ("system text", "system texts"),
    "summary": ("summary", "summaries"),
    "notice": ("notice", "notices"),
    "state": ("state line", "state lines"),
    "stub": ("stub", "stubs"),
    "marker": ("marker", "markers"),
    "call": ("tool call on it", "tool calls on it"),
}
"""One and many of each giver and namer."""
FORM_WORDS = {Form.STUB: "a stub stands for it", Form.CLEARED: "a placeholder stands for it"}
RULES = 3
"""Departures that a sentence tells one by one."""
DETAIL_CHARS = 110


def answer(subject: Subject, trace: Trace) -> str:
    """Return the answer: one to four sentences, content of the transcript on one line."""
    return " ".join(_sentences(subject, trace))


def name_of(subject: Subject, trace: Trace) -> str:
    """Return what is traced as a sentence names it: an id whole, a text in quotes."""
    if trace.target.kind == ID:
        return subject.transcript.items[trace.target.items[0]].id
    what = one_line(trace.target.what)
    return f'"{what}"' if trace.target.kind == WORDS else what


def noun(kinds: Sequence[str]) -> str:
    """Return what the items of these kinds are called together: `11 reads`, `4 items (3 reads, 1 write)`."""
    parts = [counted(count, kind) for kind, count in Counter(kinds).items()]
    return parts[0] if len(parts) == 1 else f"{len(kinds):,} items ({', '.join(parts)})"


def counted(count: int, kind: str, *, short: bool = False) -> str:
    """Return a count with its noun, `short` without saying whose."""
    one, many = NOUNS.get(kind, (kind, f"{kind}s"))
    if short:
        one, many = (word.partition(" of ")[0].removeprefix("tool ") for word in (one, many))
    return f"{count:,} {one if count == 1 else many}"


def came_kinds(trace: Trace) -> dict[int, str]:
    """Return by place what gave each item that came."""
    return {event.at: event.kind for event in trace.events if event.event == "came" and event.at is not None}


def giver(trace: Trace) -> str:
    """Return what one of the items that give the target is called: `read`, `read or write`, else `item`."""
    nouns = dict.fromkeys(NOUNS.get(kind, ("item", ""))[0] for kind in came_kinds(trace).values())
    return " or ".join(nouns) if 0 < len(nouns) <= 2 else "item"


def _sentences(subject: Subject, trace: Trace) -> Iterator[str]:
    name = f"{name_of(subject, trace)} at call {trace.call:,}"
    if not trace.forms:
        yield from _not_yet(subject, trace, name)
        return
    yield f"{name}: {_presence(trace)}."
    yield from _departures(subject, trace)
    if len(trace.holding) < len(trace.forms):
        yield from _naming(trace)
    gaps = [event for event in trace.events if event.event == GAP]
    if gaps:
        uses = "1 later use" if len(gaps) == 1 else f"{len(gaps):,} later uses"
        first = f"at call {gaps[0].call:,}" if len(gaps) == 1 else f"the first at call {gaps[0].call:,}"
        yield f"At least {uses} found no source of it in the window, {first}."
    if trace.later:
        yield f"The next {giver(trace)} of it comes with call {trace.first or 0:,}."


def _not_yet(subject: Subject, trace: Trace, name: str) -> Iterator[str]:
    if trace.later:
        what = about(subject, trace.later[0])
        yield f"{name}: it had not come yet; it comes with call {trace.first or 0:,} ({what})."
    else:
        yield f"{name}: nothing that gives it ever came."
    if trace.namers:
        yield f"The window names it already: {_listed(trace.namers)}."


def _presence(trace: Trace) -> str:
    """Return whether the target is in the window."""
    total, holding = len(trace.forms), trace.holding
    cut = [at for at in holding if trace.forms[at] is not Form.FULL]
    if total == 1:
        return _presence_of_one(trace, next(iter(trace.forms)))
    items = _items(trace)
    if not holding:
        stubs = Counter(trace.forms.values())
        stand = [f"{stubs[form]:,} {word}" for form, word in _STANDING.items() if stubs[form]]
        return f"none of {items} is in the window" + (f"; {', '.join(stand)}" if stand else "")
    if len(holding) == total and not cut:
        return f"{'both' if total == 2 else 'all'} of {items} are in the window in full"
    full = len(holding) - len(cut)
    parts = [f"{full:,} of {items} {'is' if full == 1 else 'are'} in the window in full"]
    parts += [f"{len(cut):,} truncated"] if cut else []
    gone = total - len(holding)
    parts += [f"{gone:,} {'is' if gone == 1 else 'are'} not"] if gone else []
    return ", ".join(parts)


_STANDING = {
    Form.TRUNCATED: "without the part that holds it",
    Form.STUB: "left a stub",
    Form.CLEARED: "left a placeholder",
}
"""What of many items that are not in the window still stands there."""


def _presence_of_one(trace: Trace, at: int) -> str:
    form = trace.forms[at]
    if at in trace.holding:
        if form is Form.FULL:
            return "it is in the window in full"
        return f"it is in the window truncated, {trace.tokens[at]:,} tokens of it"
    stand = "it is in the part that was cut" if form is Form.TRUNCATED else FORM_WORDS.get(form, "")
    return "it is not in the window" + (f"; {stand}" if stand else "")


def _items(trace: Trace) -> str:
    kinds = came_kinds(trace)
    listed = [kinds.get(at, "result") for at in trace.forms]
    if trace.target.kind == ID:
        return f"its {len(listed):,} copies"
    if trace.target.kind == WORDS:
        return f"the {noun(listed)} that gave it"
    return f"its {noun(listed)}"


def _departures(subject: Subject, trace: Trace) -> Iterator[str]:
    """Yield when and by which rule what is not in full left, or was cut."""
    left: dict[int, Event] = {}
    moved: dict[int, Event] = {}
    for event in trace.events:
        if event.at is not None and event.line is not None and trace.forms.get(event.at) is not Form.FULL:
            if event.event == LEFT:
                left[event.at] = event
            elif event.line.form_after is Form.TRUNCATED:
                moved[event.at] = event
    gone = [left[at] if at in left else moved[at] for at in trace.forms if at not in trace.holding]
    cut = [moved[at] for at in trace.forms if at in trace.holding and at in moved]
    total = len(trace.forms)
    if gone:
        yield _told(subject, gone, total, LEFT)
    if cut:
        yield _told(subject, cut, total, "truncated")


def _told(subject: Subject, events: Sequence[Event], total: int, verb: str) -> str:
    groups: dict[tuple[int, str], list[Event]] = {}
    for event in events:
        groups.setdefault((event.call, event.line.rule if event.line else ""), []).append(event)
    be = "" if verb == LEFT else "was " if len(events) == 1 else "were "
    who = "It" if total == 1 else "All" if len(events) == total > 2 else "Both" if len(events) == total else ""
    if len(groups) == 1:
        (call, rule), group = next(iter(groups.items()))
        who = who or ("The one" if len(group) == 1 else f"The {len(group):,}")
        return f"{who} {be}{verb} at call {call:,} by {rule}{_detail(subject, group)}."
    if len(groups) <= RULES:
        return f"{_one_by_one(groups, verb)}."
    rules = Counter(rule for _, rule in (key for key, group in groups.items() for _ in group))
    calls = [call for call, _ in groups]
    by = ", ".join(f"{rule} ({count:,})" if len(rules) > 1 else rule for rule, count in rules.items())
    return f"{who or 'They'} {be}{verb} at calls {min(calls):,} to {max(calls):,} by {by}."


def _one_by_one(groups: dict[tuple[int, str], list[Event]], verb: str) -> str:
    """Return departures at a few calls: `27 left at call 68 and 11 at call 124, by recorded.compaction`."""
    only = len({rule for _, rule in groups}) == 1
    be = {LEFT: ""}.get(verb, "was " if len(next(iter(groups.values()))) == 1 else "were ")
    parts = [
        f"{len(group):,}{'' if place else f' {be}{verb}'} at call {call:,}{'' if only else f' by {rule}'}"
        for place, ((call, rule), group) in enumerate(groups.items())
    ]
    by = f", by {next(iter(groups))[1]}" if only else ""
    return f"{', '.join(parts[:-1])} and {parts[-1]}{by}"


def _detail(subject: Subject, group: Sequence[Event]) -> str:
    details = dict.fromkeys(detail_of(subject, event) for event in group)
    only = next(iter(details))
    return f" ({one_line(only, DETAIL_CHARS)})" if len(details) == 1 and only else ""


def detail_of(subject: Subject, event: Event) -> str:
    """Return a decision's detail, a place in the transcript as its line alone."""
    detail = event.line.detail if event.line is not None else ""
    return detail.replace(f"{subject.path}:", "line ")


def _naming(trace: Trace) -> Iterator[str]:
    """Yield what still names the target, and whether that holds any of its lines."""
    if not trace.namers:
        yield "Nothing in the window names it."
        return
    own = [namer for namer in trace.namers if namer.at is None]
    rest = [namer for namer in trace.namers if namer.at is not None]
    if own:
        verb = "names" if len(own) == 1 else "name"
        yield f"The {_listed_names(own)} {verb} it{_lines(trace, own, own)}."
    if rest:
        also = "Also named" if own else "Still named"
        yield f"{also} by {_listed(rest)}{_lines(trace, rest, own or rest)}."


def _listed_names(namers: Sequence[Namer]) -> str:
    counts = Counter(namer.by for namer in namers)
    parts = [NOUNS.get(by, (by, by))[0] if count == 1 else counted(count, by) for by, count in counts.items()]
    return " and ".join(parts)


def _listed(namers: Sequence[Namer]) -> str:
    counts = Counter(namer.by for namer in namers)
    parts = [counted(count, by) for by, count in counts.items()]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _lines(trace: Trace, namers: Sequence[Namer], first: Sequence[Namer]) -> str:
    """Return whether these hold lines of what has left; how long such a line is, is said of the `first` alone."""
    if not trace.lines or all(namer.by in (STUB, MARKER) for namer in namers):
        return ""
    held = len(frozenset().union(*(namer.held for namer in namers)))
    one = len(namers) == 1
    verb = "and holds" if one and namers[0].at is None else "which holds" if one else "and they hold"
    if not held:
        return f", {verb} none of its lines"
    long = f" (of {SHORTEST} characters or more)" if namers is first else ""
    return f", {verb} {held:,} of its {trace.lines:,} lines{long}"
