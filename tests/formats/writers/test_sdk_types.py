"""The bodies fit the typed models of the providers' own SDKs; needs the extra `sdks` (and AI_SDK, for the AI SDK).

Typed dicts are read leniently, so what comes back is held against what went in: a key that the SDK does not know is
missing then. One thing is looser than the SDK's types: the Responses API takes reasoning without an id (Codex sends
it so), and no transcript holds that id. Compactions by the server are of Anthropic's beta types.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.formats.logs import SHARED
from tests.generated import by_seed
from windowkeeper_cli.formats import load
from windowkeeper_cli.formats.writers.text import chunks
from windowkeeper_cli.formats.writers.written import requested
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.model.sent import whole
from windowkeeper_cli.model.transcript import Transcript

LIBRARY = os.environ.get("AI_SDK")
REAL = sorted(path for path in (SHARED / "sessions").rglob("*") if path.is_file()) if SHARED.is_dir() else []
SEEDS = 40
CHECK = """
const { createRequire } = await import("node:module");
const { modelMessageSchema } = createRequire(process.argv[1] + "/")("ai");
let text = "";
for await (const part of process.stdin) text += part;
for (const line of text.split("\\n").filter(Boolean))
  for (const message of JSON.parse(line).messages) {
    const found = modelMessageSchema.safeParse(message);
    if (!found.success) console.log(JSON.stringify(message).slice(0, 300), found.error.message.slice(0, 600));
  }
"""


def transcripts() -> Iterator[tuple[str, Transcript]]:
    """Yield drawn sessions, and the real logs where they are."""
    for seed in range(SEEDS):
        yield f"seed {seed}", by_seed(seed).transcript
    for path in REAL:
        try:
            yield path.name, load(str(path))
        except WindowkeeperError:
            continue


def bodies(target: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield request bodies as they arrive, through JSON."""
    for name, transcript in transcripts():
        yield name, json.loads(b"".join(chunks(requested(whole(transcript), target).body)))


def read(value: Any) -> Any:
    """Return a validated value with what the SDK validates late validated, as plain values."""
    if isinstance(value, dict):
        return {key: read(part) for key, part in value.items()}
    if hasattr(value, "model_dump"):
        return value.model_dump(exclude_unset=True)
    if isinstance(value, str | int | float | type(None)):
        return value
    return [read(part) for part in value]


def hold(adapter: Any, name: str, message: Any) -> None:
    """Fail where an SDK's type does not take a message whole."""
    found = read(adapter.validate_python(message))
    assert found == message, name


def test_anthropic_takes_the_messages() -> None:
    types = pytest.importorskip("anthropic.types.beta")
    pydantic = pytest.importorskip("pydantic")
    adapter, seen = pydantic.TypeAdapter(types.BetaMessageParam), 0
    for name, body in bodies("anthropic"):
        assert body.keys() <= {"system", "messages"}
        for message in body["messages"]:
            hold(adapter, name, message)
            seen += 1
    assert seen > 300


def test_openai_chat_takes_the_messages() -> None:
    types = pytest.importorskip("openai.types.chat")
    pydantic = pytest.importorskip("pydantic")
    adapter = pydantic.TypeAdapter(types.ChatCompletionMessageParam)
    for name, body in bodies("openai-chat"):
        assert body.keys() == {"messages"}
        for message in body["messages"]:
            hold(adapter, name, message)


def test_openai_responses_takes_the_input() -> None:
    types = pytest.importorskip("openai.types.responses")
    pydantic = pytest.importorskip("pydantic")
    adapter = pydantic.TypeAdapter(types.ResponseInputItemParam)
    for name, body in bodies("openai-responses"):
        assert body.keys() <= {"instructions", "input"}
        for item in body["input"]:
            if item.get("type") == "reasoning":
                item["id"] = "rs_1"
            hold(adapter, name, item)


def test_gemini_takes_the_contents() -> None:
    types = pytest.importorskip("google.genai.types")
    for name, body in bodies("gemini"):
        assert body.keys() <= {"systemInstruction", "contents"}
        for content in (*body["contents"], body.get("systemInstruction", {})):
            text = json.dumps(content)
            if "REDACTED" in text:
                # Images of the real logs were made unreadable on purpose, and are no base64 any more.
                continue
            made = types.Content.model_validate_json(text)
            assert len(made.parts or ()) == len(content.get("parts", ())), name


@pytest.mark.skipif(not LIBRARY or shutil.which("node") is None, reason="AI_SDK names no folder with the library")
def test_the_ai_sdk_takes_the_messages() -> None:
    lines = "\n".join(json.dumps(body) for _, body in bodies("ai-sdk"))
    command = ["node", "--input-type=module", "-e", CHECK, str(LIBRARY)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == ""


def test_a_body_that_is_wrong_does_not_pass() -> None:
    """The comparison is worth something: a key of another API is found."""
    types = pytest.importorskip("anthropic.types")
    pydantic = pytest.importorskip("pydantic")
    adapter = pydantic.TypeAdapter(types.MessageParam)
    with pytest.raises((AssertionError, pydantic.ValidationError)):
        hold(adapter, "made", {"role": "user", "content": [{"type": "text", "text": "x", "tool_calls": []}]})
