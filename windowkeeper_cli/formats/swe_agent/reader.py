"""How does a trajectory become entries? Its history is the transcript, its steps may tell the true windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from windowkeeper_cli.formats.body import Message, is_message, unknown_name
from windowkeeper_cli.formats.entry import Draft, Entry
from windowkeeper_cli.formats.fields import figure, text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.swe_agent.messages import ENDING, is_demonstration, made_of
from windowkeeper_cli.formats.swe_agent.windows import Sent, windows_of
from windowkeeper_cli.formats.unknown import counted
from windowkeeper_cli.formats.wire.conversations import Exchange
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.formats.wire.pool import Pool
from windowkeeper_cli.formats.wire.sse import parsed
from windowkeeper_cli.formats.wire.weaving import Weaving
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, PERSON, SYSTEM, USER, Origin


def read(reading: Reading) -> Draft:
    """Return the entries of the trajectory."""
    return _Trajectory(Gathering(reading)).draft()


class _Trajectory:
    """Takes the messages of the history, and the windows where the steps tell them."""

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.model: str | None = None
        self.steps: Any = None
        self.messages: list[Message] = []
        self.entries: list[Entry] = []
        self.seen: list[str] = []

    def draft(self) -> Draft:
        """Return the draft of the whole trajectory."""
        for message in self._messages():
            made = made_of(message, self.model) if is_message(message.value) else None
            if made is not None:
                self.messages.append(message)
                self.entries.append(made)
            elif not (isinstance(message.value, dict) and message.value.get("role") == ENDING):
                self.found.unknown(unknown_name(message.value), message.origin, message.place)
        self._ask()
        replies = [at for at, entry in enumerate(self.entries) if entry.role == ASSISTANT]
        windows = windows_of(self.steps, [self.messages[at].value for at in replies])
        if windows:
            self._weave(replies, windows)
        else:
            self.found.add(self.entries)
        self.found.seen = ", ".join(self.seen)
        return self.found.draft()

    def _messages(self) -> Iterator[Message]:
        """Yield the messages of the history, the list or the lines; what stands around them is kept."""
        for value, origin in self.found.reading.records:
            if isinstance(value, list):
                yield from self._listed(value, origin, "")
            elif isinstance(value, dict) and not is_message(value):
                self._around(value)
                key = next((key for key in ("history", "messages") if isinstance(value.get(key), list)), None)
                if key is not None:
                    yield from self._listed(value[key], origin, key)
                else:
                    yield from self._stepped(value.get("trajectory"), origin)
            else:
                yield Message(value, origin, None)

    def _listed(self, values: list[Any], origin: Origin, key: str) -> Iterator[Message]:
        for n, value in enumerate(values):
            yield Message(value, origin, f"{key}[{n}]")

    def _stepped(self, steps: Any, origin: Origin) -> Iterator[Message]:
        """Yield what the steps alone tell, of a trajectory without its history."""
        for n, step in enumerate(steps if isinstance(steps, list) else ()):
            if isinstance(step, dict):
                shared = {key: step[key] for key in ("action", "thought") if key in step}
                yield Message(
                    {"role": ASSISTANT, "content": step.get("response"), **shared}, origin, f"trajectory[{n}].response"
                )
                yield Message(
                    {"role": USER, "content": step.get("observation")}, origin, f"trajectory[{n}].observation"
                )

    def _around(self, value: dict[str, Any]) -> None:
        """Keep the facts around the messages: SWE-agent's stand in several places, mini-swe-agent's in `info`."""
        found, info = self.found, _inside(value, "info")
        replayed, config = _inside(value, "replay_config"), _inside(info, "config")
        self.steps = value.get("trajectory")
        self.model = text_or_none(_inside(config, "model"), "model_name")
        self.model = self.model or text_or_none(_inside(replayed, "agent", "model"), "name")
        mini = text_or_none(info, "mini_version")
        found.version = f"mini {mini}" if mini else text_or_none(info, "swe_agent_version")
        found.session = text_or_none(_inside(replayed, "problem_statement"), "id") or text_or_none(value, "instance_id")
        first = self.steps[0] if isinstance(self.steps, list) and self.steps else None
        state = _inside(first if isinstance(first, dict) else {}, "state")
        found.cwd = text_or_none(state, "working_dir") or text_or_none(_inside(config, "environment"), "cwd")
        stats = _inside(info, "model_stats")
        if figure(stats, "tokens_sent"):
            whole = found.whole = Usage(figure(stats, "tokens_sent"), figure(stats, "tokens_received"))
            self.seen.append(f"{whole.prompt:,} tokens sent and {whole.output:,} received by all calls together")

    def _ask(self) -> None:
        """Let the first message that is no demonstration be the task; what follows are observations."""
        shown = 0
        for at, (message, entry) in enumerate(zip(self.messages, self.entries, strict=True)):
            if is_demonstration(message.value):
                shown += 1
            elif entry.role == USER:
                self.entries[at] = entry._replace(authored_by=PERSON, request=True)
                break
        if shown:
            self.seen.append(f"{counted(shown, 'message')} of a demonstration")

    def _weave(self, replies: Sequence[int], windows: dict[int, Sent]) -> None:
        """Take each call with its true window, where a step tells it, else with what stood before it."""
        found, pool = self.found, Pool()
        numbers = [pool.number(entry) for entry in self.entries]
        head = next((at for at, entry in enumerate(self.entries) if entry.role != SYSTEM), len(numbers))
        weaving = Weaving(pool, [opened.name for opened in found.reading.files], tuple(numbers[:head]))
        sent: list[int] = []
        seen = head
        for n, at in enumerate((*replies, len(numbers))):
            told = windows.get(n)
            message = self.messages[min(at, len(numbers) - 1)]
            pair = Pair({}, None, False, None, message.origin, message.place if told is None else told.place)
            sent += numbers[seen:at]
            if told is not None:
                # What is new is taken in full first: it may have been elided before any call saw it.
                weaving.take(Exchange(n, pair, (), tuple(sent), -1, ("", "")))
                sent = self._numbers(told, pool, numbers[:head])
            reply = numbers[at] if at < len(numbers) else -1
            weaving.take(Exchange(n, pair, (), tuple(sent), reply, ("", ""), model=self.model))
            sent.append(reply)
            seen = at + 1
        found.add(weaving.entries)
        found.events = weaving.events
        self.seen.append(f"the true windows of {counted(len(windows), 'call')}")

    def _numbers(self, told: Sent, pool: Pool, system: Sequence[int]) -> list[int]:
        """Return the messages of a window as numbers, without the leading system texts."""
        origin = self.messages[0].origin
        made = [
            made_of(Message(value, origin, f"{told.place}[{n}]"), self.model)
            for n, value in enumerate(told.messages)
            if is_message(value)
        ]
        numbers = [pool.number(entry) for entry in made if entry is not None]
        return [number for at, number in enumerate(numbers) if at >= len(system) or number not in system]


def _inside(value: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Return the object at a path of keys, an empty one where there is none; some versions write it as JSON text."""
    for key in keys:
        inner = parsed(value.get(key))
        value = inner if isinstance(inner, dict) else {}
    return value
