"""Would the providers accept the windows of a session, call by call, and would they have accepted the recorded ones?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.item import USER, Item
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.acceptance import ACCEPTANCE
from windowkeeper_cli.replay.acceptance.lint import Lint, faults_of
from windowkeeper_cli.replay.acceptance.providers import provider_named, sender_of
from windowkeeper_cli.replay.acceptance.request import Fault, Provider, RuleModule, Sent, named
from windowkeeper_cli.replay.fold import Fold
from windowkeeper_cli.replay.session import Session

RECORDED = "recorded"


class Reason(NamedTuple):
    """Why a provider would refuse a window: the first call that it concerns, and the fault.

    `already` says that the provider would have refused the recorded window of that call too.
    """

    call: int
    fault: Fault
    already: bool


class Accepted(NamedTuple):
    """What one provider makes of a session's windows, each fault once."""

    provider: str
    reasons: tuple[Reason, ...]

    @property
    def ok(self) -> bool:
        """Return whether the policy is at fault nowhere: what the recorded window had in common is no fault of it."""
        return all(reason.already for reason in self.reasons)


def sent_items(transcript: Transcript, fold: Fold, places: range, *, packed: bool = False) -> Iterator[Sent]:
    """Yield what stands in the window at some positions, texts of ours before the item whose place they take.

    With `packed`, calls that no result in the log answers are the harness's to complete.
    """
    for at in places:
        insert = fold.insert_at(2 * at)
        if insert is not None:
            yield Sent(None, USER, (Text(insert.text),))
        form, text, cut = fold.standing(at)
        if form is Form.OUT:
            continue
        item, own = transcript.items[at], transcript.blocks(at)
        blocks = own if form is Form.FULL else blocks_in_form(own, form, text, cut)
        completed = completed_by_harness(transcript, item, packed)
        yield Sent(at, item.role, blocks, None if form is Form.FULL else own, completed)


def transcript_faults(transcript: Transcript) -> list[Fault] | None:
    """Return why the log's own provider would refuse the whole transcript as one request; None: nobody knows it.

    Sent as it is, calls that still wait at its end are refused too; a harness sends nothing before they have results.
    """
    sender = sender_of(transcript)
    if sender.provider is None:
        return None
    sent = (
        Sent(item.at, item.role, transcript.blocks(item.at), None, completed_by_harness(transcript, item, sender.packs))
        for item in transcript.items
    )
    provider = provider_named(sender.provider)
    faults = faults_of(sent, provider, packed=sender.packs)
    if sender.packs:
        return faults
    known = {(fault.at, fault.id) for fault in faults}
    return [*faults, *(fault for fault in _waiting(transcript, provider) if (fault.at, fault.id) not in known)]


def _waiting(transcript: Transcript, provider: Provider) -> Iterator[Fault]:
    """Yield the calls at the very end that have no result, where the provider demands one."""
    rule = cast(RuleModule, ACCEPTANCE.module("call-without-result"))
    last = next((item for item in reversed(transcript.items) if not item.is_result), None)
    if last is None or provider.name not in rule.SOURCES:
        return
    for ref in last.calls:
        if (last.at, ref.id) not in transcript.pairs:
            text = f"{provider.call} {named(ref.id)} still waits for its {provider.result}"
            yield Fault(rule.TEXT.name, last.at, ref.id, text)


def completed_by_harness(transcript: Transcript, item: Item, packed: bool) -> tuple[str, ...]:
    """Return the ids of an item's calls that no result in the log answers, where a harness completes them."""
    if not packed or not item.calls:
        return ()
    return tuple(ref.id for ref in item.calls if (item.at, ref.id) not in transcript.pairs)


class Growing:
    """The request of one session for several providers: what was appended is added, a changed window read anew."""

    def __init__(self, transcript: Transcript, providers: Sequence[str], *, packed: bool) -> None:
        self._transcript = transcript
        self._providers = [provider_named(name) for name in providers]
        self._packed = packed
        self._lints: list[Lint] = []
        self._held = 0

    def lints(self, fold: Fold, *, changed: bool) -> list[Lint]:
        """Return by provider what it makes of the window as the fold has it."""
        if changed or not self._lints:
            self._lints = [Lint(provider, packed=self._packed) for provider in self._providers]
            self._held = 0
        for sent in sent_items(self._transcript, fold, range(self._held, fold.held), packed=self._packed):
            for lint in self._lints:
                lint.add(sent)
        self._held = fold.held
        return self._lints


class Windows:
    """Looks at a session's window after each visit, and at the recorded window of the same call beside it.

    `providers` are names; without any, the log's own provider is asked, where its format or models say who that is.
    """

    def __init__(self, transcript: Transcript, counts: Counts, providers: Sequence[str] = ()) -> None:
        sender = sender_of(transcript)
        own = () if sender.provider is None else (sender.provider,)
        self.providers = tuple(dict.fromkeys(providers or own))
        self._growing = Growing(transcript, self.providers, packed=sender.packs)
        self._base = Growing(transcript, self.providers, packed=sender.packs)
        self._recorded = _Recorded(transcript, counts)
        self._known = [_Known() for _ in self.providers]

    def look(self, call: Call, fold: Fold, *, changed: bool) -> None:
        """Take the window of the next call in; `changed` where its visit moved something."""
        if not self.providers:
            return
        changed_base = self._recorded.visit(call)
        base = self._base.lints(self._recorded.fold, changed=changed_base)
        for known, lint, recorded in zip(self._known, self._growing.lints(fold, changed=changed), base, strict=True):
            known.look(call.number, lint, already=recorded.refuses)

    def accepted(self) -> tuple[Accepted, ...]:
        """Return what each provider makes of the windows looked at so far."""
        return tuple(Accepted(name, known.reasons()) for name, known in zip(self.providers, self._known, strict=True))


class _Known:
    """The faults of one provider that a session has shown: each at its first call that the policy answers for.

    Where there is no such call, at the first one of all; then the recorded window was refused too.
    """

    def __init__(self) -> None:
        self._reasons: dict[tuple[str, int | None, str], Reason] = {}
        self._shared = False

    def look(self, call: int, lint: Lint, *, already: bool) -> None:
        """Take in why the window of a call would be refused."""
        news = lint.news()
        if self._shared and not already:
            # Rare: the recorded window was refused up to here, and no longer is; what stands is now the policy's.
            news, self._shared = lint.faults(), False
        for fault in news:
            key = (fault.rule, fault.at, fault.id)
            earlier = self._reasons.get(key)
            if earlier is None or (earlier.already and not already):
                self._reasons[key] = Reason(call, fault, already)
                self._shared = self._shared or already

    def reasons(self) -> tuple[Reason, ...]:
        """Return the faults by call."""
        return tuple(sorted(self._reasons.values(), key=lambda reason: reason.call))


class _Recorded:
    """The windows that the harness itself sent; where its log tells of no removal, all that it held."""

    def __init__(self, transcript: Transcript, counts: Counts) -> None:
        self._session = Session(transcript, counts, Settings(RECORDED)) if transcript.events else None
        self._steps: Iterator[Step] = iter(()) if self._session is None else self._session.steps()
        self.fold = Fold(transcript, counts) if self._session is None else self._session.fold

    def visit(self, call: Call) -> bool:
        """Go on to the next call; return whether its visit moved something."""
        if self._session is None:
            self.fold.append(call.at)
            return False
        return any(line.moves for line in next(self._steps).lines)
