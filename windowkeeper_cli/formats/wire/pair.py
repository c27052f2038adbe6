"""Which request/response pairs does a log hold? One a line, a list of them, or what a browser or recorder kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from windowkeeper_cli.formats.stream import Record
from windowkeeper_cli.formats.wire.sse import parsed
from windowkeeper_cli.model.item import Origin
from windowkeeper_cli.model.value import NamedTuple

_LATEST = 1 << 36


class Pair(NamedTuple):
    """One exchange: the request's body, the response as logged, and where it stands.

    `place` is the path inside a list, None where the pair is a record of its own. `sent` is false for what the log
    says was held at the end: nobody sent it.
    """

    body: dict[str, Any]
    response: Any
    failed: bool
    time: str | None
    origin: Origin
    place: str | None
    sent: bool = True

    def path(self, inside: str) -> str:
        """Return where a part of the pair stands in its file."""
        return f"{self.origin.line}:{inside}" if self.place is None else f"{self.place}.{inside}"


def is_pair(value: Any) -> bool:
    """Return whether `value` is an object with a request and what came of it."""
    if not isinstance(value, dict) or not isinstance(value.get("request"), dict):
        return False
    return "response" in value or "error" in value


def sampled_pairs(values: list[Any]) -> list[dict[str, Any]]:
    """Return the pairs among the values where most of them are pairs, else nothing."""
    each = [inner for value in values for inner in _held(value)[0]]
    found = [value for value in each if is_pair(value)]
    return found if 2 * len(found) > len(each) else []


def body_of(value: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a pair's request, also where the log wraps it with URL and headers, or keeps its text."""
    request: dict[str, Any] = value["request"]
    inner = _parsed(request.get("body", request.get("postData")))
    return inner if "messages" not in request and isinstance(inner, dict) else request


def response_of(value: dict[str, Any]) -> Any:
    """Return a pair's response, also where the log wraps its body with status and headers."""
    response = value.get("response")
    if isinstance(response, dict) and "body" in response and not response.keys() & {"content", "choices"}:
        return _parsed(response["body"])
    if isinstance(response, dict) and isinstance(response.get("content"), dict):
        return _parsed(response["content"])
    return response


def _parsed(body: Any) -> Any:
    """Return a body, one kept as its text parsed; recorders put the text under `string`, HAR files under `text`."""
    if isinstance(body, dict):
        body = next((body[key] for key in ("string", "text") if isinstance(body.get(key), str)), body)
    return parsed(body)


def _held(value: Any) -> tuple[list[Any], str | None]:
    """Return the values that a record holds and the path of their list; a value alone has none."""
    if isinstance(value, list):
        return value, ""
    if isinstance(value, dict) and isinstance(value.get("interactions"), list):
        return value["interactions"], "interactions"
    log = value.get("log") if isinstance(value, dict) else None
    if isinstance(log, dict) and isinstance(log.get("entries"), list):
        return log["entries"], "log.entries"
    return [value], None


def pairs_of(records: Iterable[Record]) -> Iterator[Pair | Record]:
    """Yield the pairs in order; a record that is none comes as it is."""
    for record in records:
        value, origin = record
        held, path = _held(value)
        for n, inner in enumerate(held):
            if is_pair(inner):
                yield _pair(inner, origin, None if path is None else f"{path}[{n}]")
            else:
                yield Record(inner, origin)


def _pair(value: dict[str, Any], origin: Origin, place: str | None) -> Pair:
    response = value.get("response")
    status = response.get("status") if isinstance(response, dict) else None
    status = status.get("code") if isinstance(status, dict) else status
    failed = bool(value.get("error")) or response is None or (type(status) is int and status >= 400)
    return Pair(body_of(value), response_of(value), failed, _time(value), origin, place)


def _time(value: dict[str, Any]) -> str | None:
    """Return when a pair was logged, else when its response was made, as OpenAI's APIs say in seconds."""
    time = value.get("timestamp", value.get("startedDateTime"))
    if isinstance(time, str):
        return time
    response = response_of(value)
    for key in ("created_at", "created") if isinstance(response, dict) else ():
        made = response.get(key)
        if isinstance(made, int | float) and 0 < made < _LATEST:
            return datetime.fromtimestamp(int(made), UTC).isoformat()
    return None
