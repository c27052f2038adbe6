"""What did each call's window hold, in tokens by role and form? The layers of a story's timeline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, TOOL, USER
from windowkeeper_cli.model.ledger import DecisionLine, Step
from windowkeeper_cli.report.story import Layer
from windowkeeper_cli.report.subject import Subject

PREFIX, OURS = "unseen prefix", "text of ours"
ROLES = (SYSTEM, USER, ASSISTANT, TOOL, OURS)
"""What has a hue of its own, from the bottom of the stack to its top."""
FORMS = (Form.FULL, Form.TRUNCATED, Form.STUB, Form.CLEARED)
"""What has a texture of its own; the unseen prefix has the one behind them."""
NAMES = {SYSTEM: "system", USER: "user", ASSISTANT: "assistant", TOOL: "tool results", OURS: "texts of ours"}
SUFFIX = {Form.FULL: "in full", Form.TRUNCATED: "truncated", Form.STUB: "as stubs", Form.CLEARED: "cleared"}
Key = tuple[int, int]


class Stack:
    """Tokens of a window by role and form, kept from decision lines, never by walking the window."""

    def __init__(self, subject: Subject) -> None:
        self._items = subject.transcript.items
        self._tokens = subject.counts.tokens
        self._roles = {name: place for place, name in enumerate(ROLES)}
        self._held = 0
        self.now: dict[Key, int] = {}
        prefix = subject.counts.counter.label.unseen_prefix
        if prefix:
            self.now[(0, len(FORMS))] = prefix

    def take(self, upto: int, lines: Iterable[DecisionLine]) -> None:
        """Take in the items before position `upto`, and what was decided."""
        for at in range(self._held, upto):
            self._add(self._roles[self._items[at].role], Form.FULL, self._tokens[at])
        self._held = max(self._held, upto)
        for line in lines:
            if line.moves:
                role = self._roles[OURS if line.at is None else self._items[line.at].role]
                self._add(role, line.form_before, -line.tokens_before)
                self._add(role, line.form_after, line.tokens_after)

    def _add(self, role: int, form: Form, tokens: int) -> None:
        if form is not Form.OUT:
            key = (role, FORMS.index(form))
            self.now[key] = self.now.get(key, 0) + tokens


def layers(subject: Subject, steps: Sequence[Step]) -> tuple[Layer, ...]:
    """Return the layers that ever hold anything; at each call they add up to the tokens of its window."""
    calls = subject.transcript.all_calls()
    stack = Stack(subject)
    series: dict[Key, list[int]] = {}
    for place, step in enumerate(steps):
        stack.take(calls[step.call - 1].at, step.lines)
        for key, tokens in stack.now.items():
            series.setdefault(key, [0] * place).append(tokens)
    return tuple(Layer(_title(key), *key, tuple(series[key])) for key in sorted(series) if any(series[key]))


def _title(key: Key) -> str:
    role, form = key
    if form == len(FORMS):
        return PREFIX
    name = NAMES[ROLES[role]]
    return name if ROLES[role] == OURS else f"{name} {SUFFIX[FORMS[form]]}"
