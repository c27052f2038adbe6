"""Subjects and sessions made from transcripts in our own format, for the reports' tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]

from windowkeeper_cli.formats import load, loads
from windowkeeper_cli.model.settings import Budget, Protect, Settings, ToolResults
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.page import render
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.schemas import schema
from windowkeeper_cli.report.sheet import Report
from windowkeeper_cli.report.subject import NamedPolicy, Subject
from windowkeeper_cli.tokens.chars import count

FIXTURE = Path(__file__).parents[2] / "fixtures" / "small-explain" / "transcript.json"
TIGHT = Settings(
    budget=Budget(max=640, target=330, reserve=0),
    protect=Protect(recent_turns=2),
    tool_results=ToolResults(max_tokens_each=120, evict_after_turns=3),
)
"""The settings of fixtures/small-explain/policy.json."""


def fixture() -> Transcript:
    """Return the small fixture."""
    return load(str(FIXTURE), from_="windowkeeper")


def made(*messages: dict[str, object]) -> Transcript:
    """Return a transcript of `messages`."""
    body = {"format": "windowkeeper/1", "messages": list(messages)}
    return loads(json.dumps(body).encode(), "made.json", from_="windowkeeper")


def subject(transcript: Transcript, settings: Settings = TIGHT, name: str = "made.json") -> Subject:
    """Return `transcript` counted at four characters a token under `settings`."""
    policy = NamedPolicy("policy.json", "0123456789ab", settings, "file")
    return Subject(name, transcript, count(transcript, "4"), policy)


def page(report: Report, width: int | None = None) -> str:
    """Return a report's page as text."""
    return b"".join(render(report, Style(False, width))).decode()


def document(report: Report) -> dict[str, Any]:
    """Return a report's document as a reader gets it, after holding it to its schema."""
    found: dict[str, Any] = json.loads(b"".join(RENDERERS.module("json").render(report, Style())))
    fits(found)
    return found


def fits(document: dict[str, object]) -> None:
    """Raise where a document does not fit the JSON Schema of its report."""
    jsonschema.Draft202012Validator(schema(str(document["report"]))).validate(document)
