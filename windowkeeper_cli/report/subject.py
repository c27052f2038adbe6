"""What a report speaks of: one transcript, its counts, one policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windowkeeper_cli.model.value import NamedTuple

if TYPE_CHECKING:
    # Names in annotations only: a report that takes no policy starts sooner without what makes one.
    from collections.abc import Callable

    from windowkeeper_cli.model.counter import Counts
    from windowkeeper_cli.model.settings import Settings
    from windowkeeper_cli.model.transcript import Transcript
    from windowkeeper_cli.policy import Loaded
    from windowkeeper_cli.strategies.strategy import Strategy

WHAT_IF, RECORDED = "what-if", "recorded"


class NamedPolicy(NamedTuple):
    """A policy as a report names it: `origin` is `default`, `built-in`, or the file that it was read from.

    `make` makes the strategy where it is the user's own, and is None for a registered one. `source` and `certainty`
    say of a preset where its figures come from and how sure they are. `loaded` knows where each value came from.
    """

    name: str
    id: str
    settings: Settings
    origin: str = "default"
    sets: tuple[str, ...] = ()
    make: Callable[[Settings], Strategy] | None = None
    source: str = ""
    certainty: str = ""
    loaded: Loaded | None = None

    def strategy(self) -> Strategy | None:
        """Return a new strategy of the user's own, None where the policy names a registered one."""
        return None if self.make is None else self.make(self.settings)

    @property
    def mode(self) -> str:
        """Return `recorded` where the policy replays what the harness itself did, else `what-if`."""
        return RECORDED if self.settings.strategy == RECORDED else WHAT_IF

    @property
    def words(self) -> tuple[str, ...]:
        """Return the options that choose this policy again on a command line."""
        chosen = () if self.origin in ("default", "pyproject.toml") else ("-p", self.name)
        return (*chosen, *(word for key in self.sets for word in ("--set", key)))


class Subject(NamedTuple):
    """A transcript under a name as the user typed it, with the options that were needed to load it."""

    name: str
    transcript: Transcript
    counts: Counts
    policy: NamedPolicy
    words: tuple[str, ...] = ()

    @property
    def mode(self) -> str:
        """Return the mode of its policy."""
        return self.policy.mode

    @property
    def path(self) -> str:
        """Return the file that was read, the first of several; the name itself where it was no file."""
        return path_of(self.name, self.transcript)

    def tokens(self, at: int) -> int:
        """Return the tokens of the item at `at`, whole."""
        return self.counts.tokens[at]


def path_of(name: str, transcript: Transcript) -> str:
    """Return the first file that a transcript was read from, `name` where it came from none."""
    return transcript.files[0].path if transcript.files else name
