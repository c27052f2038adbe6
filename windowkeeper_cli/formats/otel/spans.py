"""Which spans does a document hold? OTLP JSON, what exporters print, and documents that keep spans in a list."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

from windowkeeper_cli.formats.fields import objects_of, text_or_none
from windowkeeper_cli.formats.otel.values import attributes_of
from windowkeeper_cli.model.item import Origin
from windowkeeper_cli.model.value import NamedTuple

_HOLDERS = (
    "resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "batches", "spans",
    "trace", "traces", "data",
)  # fmt: skip
_FAMILIES = {
    "gen_ai.": "gen_ai", "openinference.": "OpenInference", "llm.": "OpenInference", "traceloop.": "OpenLLMetry",
}  # fmt: skip
_DEEPEST = 12
_IDS, _PARENTS = ("spanId", "span_id", "id"), ("parentSpanId", "parent_span_id", "parentId", "parent_id")
_STARTS = ("startTimeUnixNano", "start_time_unix_nano", "startTime", "start_time", "timestamp")
MODEL, TOOL, AGENT = "model", "tool", "agent"
_OPERATIONS = {
    "chat": MODEL, "text_completion": MODEL, "generate_content": MODEL, "completion": MODEL,
    "execute_tool": TOOL, "invoke_agent": AGENT,
}  # fmt: skip
_KINDS = {"llm": MODEL, "tool": TOOL, "agent": AGENT}


class Span(NamedTuple):
    """One span: `kind` is what it stands for (`` for none of ours), `start` its start in nanoseconds, -1 for unknown.

    `key` and `parent` are ids that are unique in the trace's file; `parent` is `` for a root.
    """

    key: str
    parent: str
    kind: str
    name: str
    start: int
    time: str | None
    attributes: dict[str, Any]
    events: list[tuple[str, dict[str, Any]]]
    failed: str | None
    origin: Origin
    place: str | None
    trace: str


def spans_in(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the spans that a value is or holds, as they came, each with its path."""
    if isinstance(value, list) and depth <= _DEEPEST:
        for n, inner in enumerate(value):
            yield from spans_in(inner, f"{path}[{n}]", depth + 1)
    elif isinstance(value, dict) and depth <= _DEEPEST:
        if _is_span(value):
            yield value, path
            return
        for key in _HOLDERS:
            if isinstance(value.get(key), dict | list):
                yield from spans_in(value[key], f"{path}.{key}" if path else key, depth + 1)


def _is_span(value: dict[str, Any]) -> bool:
    named = isinstance(value.get("name"), str) and isinstance(value.get("attributes"), dict | list)
    return named and bool(_own_id(value))


def is_generative(raw: dict[str, Any]) -> str | None:
    """Return whose attributes a span has, None where they are none of a model's call."""
    for key in attributes_of(raw.get("attributes")):
        for prefix, family in _FAMILIES.items():
            if key.startswith(prefix):
                return family
    return None


def span_of(raw: dict[str, Any], origin: Origin, place: str | None) -> Span:
    """Return a span in one shape."""
    attributes = attributes_of(raw.get("attributes"))
    trace = _first(raw, ("traceId", "trace_id")) or _first(_context(raw), ("traceId", "trace_id")) or ""
    parent = _first(raw, _PARENTS) or _first(_inside(raw, "parentSpanContext"), ("spanId",)) or ""
    start, time = _start(raw)
    return Span(
        f"{trace}/{_own_id(raw)}",
        f"{trace}/{parent}" if parent.strip("0") else "",
        _kind(attributes),
        str(raw.get("name")),
        start,
        time,
        attributes,
        [_event(event) for event in objects_of(raw.get("events"))],
        _failure(raw.get("status")),
        origin,
        place or None,
        trace,
    )


def _own_id(raw: dict[str, Any]) -> str:
    return (
        _first(raw, _IDS[:2]) or _first(_context(raw), _IDS[:2]) or (_first(raw, _IDS[2:]) if "traceId" in raw else "")
    )


def _context(raw: dict[str, Any]) -> dict[str, Any]:
    return _inside(raw, "context") or _inside(raw, "spanContext")


def _inside(raw: dict[str, Any], key: str) -> dict[str, Any]:
    inner = raw.get(key)
    return inner if isinstance(inner, dict) else {}


def _first(raw: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((found for key in keys if (found := text_or_none(raw, key))), "")


def _event(event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return str(event.get("name")), attributes_of(event.get("attributes"))


def _kind(attributes: dict[str, Any]) -> str:
    for key, kinds in (("gen_ai.operation.name", _OPERATIONS), ("openinference.span.kind", _KINDS)):
        told = attributes.get(key)
        if isinstance(told, str) and told.lower() in kinds:
            return kinds[told.lower()]
    told = attributes.get("traceloop.span.kind")
    if told in ("tool", "agent"):
        return str(told)
    if "llm.request.type" in attributes or "gen_ai.request.model" in attributes:
        return MODEL
    return TOOL if "gen_ai.tool.name" in attributes else ""


def _start(raw: dict[str, Any]) -> tuple[int, str | None]:
    """Return a span's start in nanoseconds and as an ISO 8601 time; the JavaScript SDK's own is in microseconds."""
    from windowkeeper_cli.formats.times import iso_of

    for key in _STARTS:
        told = raw.get(key)
        if isinstance(told, str) and told.isascii() and told.isdigit() and len(told) < 24:
            told = int(told)
        if isinstance(told, list) and len(told) == 2 and all(type(part) is int for part in told):
            told = told[0] * 10**9 + told[1]
        if type(told) is int and told > 0:
            told = told * 1_000 if key == "timestamp" else told
            return told, iso_of(told // 10**6)
        if isinstance(told, str):
            with suppress(ValueError, OverflowError):
                moment = datetime.fromisoformat(told)
                return int(moment.timestamp() * 10**6) * 1_000, told
    return -1, None


def _failure(status: Any) -> str | None:
    """Return what went wrong in a span, None where nothing did; OTLP writes the error's code as 2."""
    if not isinstance(status, dict):
        return None
    code = status.get("code", status.get("status_code"))
    if code in (2, "ERROR", "STATUS_CODE_ERROR"):
        return text_or_none(status, "message") or text_or_none(status, "description") or "error"
    return None
