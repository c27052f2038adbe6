"""What a strategy breaks on generated transcripts: an entry for each fault, with the smallest that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.replay.battery.battery import Battery, Found
from windowkeeper_cli.replay.battery.trial import Trial
from windowkeeper_cli.replay.invariants import INVARIANTS
from windowkeeper_cli.report.envelope import bare_envelope
from windowkeeper_cli.report.outcome import FAILED, PASSED, WARNED, Outcome
from windowkeeper_cli.report.sheet import DETAIL, NUMBER, WORD, Column, Sheet, Table
from windowkeeper_cli.report.subject import RECORDED, WHAT_IF, NamedPolicy

COLUMNS = (
    Column("name", "name", WORD),
    Column("n", "n", NUMBER),
    Column("fault", "fault", WORD),
    Column("known", "known", WORD),
    Column("transcripts", "transcripts", NUMBER),
    Column("first", "first", NUMBER),
    Column("messages", "messages", NUMBER),
    Column("call", "call", NUMBER),
    Column("text", "text", DETAIL),
)


@dataclass(frozen=True, slots=True)
class BatteryReport:
    """The report of `check --battery`; `files` are where the smallest transcripts were written, by their names.

    `gives_up` are the numbers of the invariants that the strategy's definition does not hold.
    """

    battery: Battery
    policy: NamedPolicy
    gives_up: tuple[int, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "battery"

    @property
    def mode(self) -> str:
        """Return `recorded` where the policy replays what the harness itself did, else `what-if`."""
        return RECORDED if self.policy.settings.strategy == RECORDED else WHAT_IF

    @property
    def ok(self) -> bool:
        """Return whether nothing is broken but what the strategy's definition is known for."""
        return all(one.known for one in self.battery.found)

    @property
    def held(self) -> tuple[str, ...]:
        """Return the invariants that held wherever they were looked at, without those that the strategy gives up."""
        if not self.battery.visits:
            return ()
        broken = {one.broken.name for one in self.battery.found}
        return tuple(name for name, number in numbered() if name not in broken and number not in self.gives_up)

    def file_of(self, place: int) -> str | None:
        """Return the file of the smallest transcript of what was found at a place, None where none was written."""
        return self.files[place] if self.files else None

    def command(self, place: int, file: str) -> tuple[str, ...]:
        """Return the command that shows what was found at a place again, on its transcript in `file`."""
        return ("windowkeeper", "check", file, *self.options(self.battery.found[place].smallest))

    def options(self, trial: Trial) -> tuple[str, ...]:
        """Return the options that a trial ran under."""
        chosen = () if self.policy.origin in ("default", "pyproject.toml") else ("-p", self.policy.name)
        own = tuple(word for one in (*self.policy.sets, *trial.sets) for word in ("--set", one))
        return (*chosen, *own, "--counter", trial.counter)

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        battery = self.battery
        body: dict[str, object] = {
            "ok": self.ok,
            "seed": battery.asked.seed,
            "times": battery.asked.times,
            "visits": battery.visits,
            "changed": battery.changed,
            "leftOut": battery.left_out,
            "held": list(self.held),
            "givenUp": [name for name, number in numbered() if number in self.gives_up],
            "found": [self._found(place, one) for place, one in enumerate(battery.found)],
        }
        return bare_envelope(self.name, body, mode=self.mode, policy=self.policy)

    def _found(self, place: int, one: Found) -> dict[str, object]:
        broken, trial = one.broken, one.smallest
        return {
            "name": broken.name,
            "n": broken.number,
            "fault": broken.fault or None,
            "known": one.known,
            "transcripts": one.transcripts,
            "first": one.first,
            "call": broken.call,
            "text": broken.text,
            "file": self.file_of(place),
            "options": list(self.options(trial)),
            "transcript": trial.document,
        }

    def table(self) -> Table:
        """Return one row for each thing that is broken."""
        rows = (
            (
                *(one.broken.name, one.broken.number, one.broken.fault or None, "true" if one.known else "false"),
                *(one.transcripts, one.first, len(one.smallest.document["messages"]), one.broken.call),
                one.broken.text,
            )
            for one in self.battery.found
        )
        return Table(COLUMNS, tuple(rows))

    def lines(self) -> None:
        """Return None: the battery has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page."""
        from windowkeeper_cli.report.battery_page import page_of

        return page_of(self)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield one outcome for each invariant, and one for each fault of the strategy's code."""
        from windowkeeper_cli.report.battery_page import evidence, title_of

        group = f"battery of {self.policy.name}"
        found = list(enumerate(self.battery.found))
        for name, number in numbered():
            mine = [(place, one) for place, one in found if one.broken.name == name]
            if not mine:
                said = "given up by the strategy's definition" if number in self.gives_up else ""
                said = said if self.battery.visits else "looked at nowhere"
                yield Outcome(group, name, WARNED if said else PASSED, said)
        for place, one in found:
            test = f"{one.broken.name} {one.broken.fault}".rstrip()
            yield Outcome(group, test, WARNED if one.known else FAILED, title_of(self, one), evidence(self, place))


def numbered() -> tuple[tuple[str, int], ...]:
    """Return the invariants' names with their numbers."""
    return tuple((name, INVARIANTS.module(name).NUMBER) for name in INVARIANTS.names)
