"""Every real file loads by itself, as the format that the manifest names and with its calls; what differs, and why."""

from __future__ import annotations

import csv
from typing import NamedTuple

import pytest

from tests.formats.real import FOLDER, HERE, loaded
from tests.formats.test_detect_real import NAMES

pytestmark = pytest.mark.skipif(not HERE, reason="the shared sessions are not here")


class Row(NamedTuple):
    """One file of the manifest: every response in it, and those of its main transcript (empty: not stated)."""

    file: str
    format: str
    api_calls: str
    chain_calls: str


def rows() -> list[Row]:
    if not HERE:
        return []
    with (FOLDER / "MANIFEST.tsv").open(encoding="utf-8", newline="") as stream:
        read = csv.DictReader(stream, delimiter="\t")
        return [Row(row["file"], row["format"], row["api calls"], row["chain calls"]) for row in read]


DIFFERENT = {
    # Line 651 is reasoning of a turn that was aborted; no token count told of it, and the manifest counts those.
    "codex/codex-0.14x-2compactions-aborted.jsonl": 183,
    # Line 13 asks for a count of tokens: {"input_tokens": 7420} is no reply.
    "anthropic-messages/claude-code-2.1.49-wire-requests.jsonl": 23,
    # Pairs 3, 5 and 7 ask for a compaction (`/compact`); what comes back is a window, no reply.
    "openai-responses/responses-previous-id-chain.json": 5,
    # The manifest counts calls by their reported tokens. The spans on lines 56 and 129 are chats that report none.
    "otel-genai/otel-openinference-nested.json": 2,
    # None stated. A stream marks no call: a reply ends where a result or another's message comes.
    "gemini-cli/gemini-stream-json-transcript.jsonl": 28,
    # None stated. The sample has six model events.
    "inspect/inspect-dedup.eval": 6,
}
"""Files whose calls are not the manifest's figure, or that it states none for."""


def test_the_manifest_is_whole() -> None:
    assert len(rows()) == 50 and {row.file for row in rows()} >= set(DIFFERENT)
    assert sorted(row.file for row in rows()) == sorted(
        f"{path.parent.name}/{path.name}" for path in FOLDER.glob("*/*")
    )


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.file.rpartition("/")[2])
def test_a_file_loads_with_its_format_and_calls(row: Row) -> None:
    found = loaded(row.file)
    assert found.format == NAMES.get(row.format, row.format)
    # A request log holds whole conversations beside the main one; a session log has its subagents beside the count.
    beside = 0 if row.format == "claude-code" else found.log.side_calls
    calls = DIFFERENT.get(row.file) or int(row.api_calls)
    assert found.log.main_calls + beside == calls
    if row.chain_calls:
        assert len(found.calls) == int(row.chain_calls)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.file.rpartition("/")[2])
def test_every_reported_size_is_one_of_a_call(row: Row) -> None:
    found = loaded(row.file)
    measured = [call.usage for call in found.calls if call.usage is not None]
    assert all(usage.prompt > 0 or usage.output > 0 for usage in measured)
    assert found.log.unmeasured == sum(call.usage is None for call in found.calls)
