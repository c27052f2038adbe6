"""Small inputs of the session-log formats that the fuzzing mutates, each with every kind of record its reader knows."""

from __future__ import annotations

import json
from typing import Any

from tests.formats import test_copilot as copilot
from tests.formats import test_gemini as gemini
from tests.formats import test_gemini_cli as cli
from tests.formats import test_opencode as opencode
from tests.formats import test_pi as pi
from tests.formats import test_swe_agent as swe


def seeds() -> list[bytes]:
    """Return one input for each shape of each format."""
    lines = [*(_pi(version) for version in (1, 3)), _copilot(), _stream(), _chat_log(), _pairs()]
    documents = [_opencode(), _chat(), _body(), *_trajectories()]
    return [_lines(one) for one in lines] + [
        json.dumps(one, indent=indent).encode() for one in documents for indent in (None, 1)
    ]


def _lines(records: list[Any]) -> bytes:
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def _pi(version: int) -> list[Any]:
    made = pi.Session(version)
    first = made.asks("é")
    made.replies({"type": "thinking", "thinking": "hm"}, pi.call("c1", path="a"))
    kept = made.result("c1")
    made.add("compaction", summary="So far.", tokensBefore=9, firstKeptEntryId=kept, firstKeptEntryIndex=2)
    made.add("branch_summary", summary="Tried.", **({"parentId": first} if version == 3 else {}))
    made.add("message", message={"role": "bashExecution", "command": "ls", "output": "a"})
    made.replies(pi.text("done"))
    return made.lines


def _opencode() -> Any:
    made = opencode.Export(revert={"messageID": "m7"})
    made.asks()
    made.answers({"type": "reasoning", "text": "hm"}, opencode.tool("c1", time={"compacted": opencode.START + 9_000}))
    asked = made.asks({"type": "compaction", "auto": True, "tail_start_id": "m1"})
    made.answers(opencode.text("So far."), summary=True, parentID=asked)
    made.asks(opencode.text("Continue.", synthetic=True))
    made.answers(opencode.tool("c2", status="error", error="x"))
    made.answers(opencode.text("done"), error={"name": "MessageAbortedError"})
    made.asks()
    return {"info": made.info, "messages": made.messages}


def _copilot() -> list[Any]:
    made = copilot.Events()
    made.add("system.message", content="S")
    made.asks(transformedContent="go é")
    made.replies("c1", reasoningText="hm", apiCallId="a1")
    made.add("assistant.usage", apiCallId="a1", inputTokens=9, outputTokens=1)
    made.add("session.compaction_start")
    made.ends("c1")
    made.add("session.compaction_complete", success=True, summaryContent="So far.", preCompactionTokens=9)
    back = made.asks("no", beside={"agentId": "ag-1"})
    made.add("session.snapshot_rewind", upToEventId=back)
    made.add("session.context_cleared")
    made.asks()
    made.replies(text="done")
    usage = {"inputTokens": 9, "outputTokens": 1}
    made.add("session.shutdown", modelMetrics={"m": {"requests": {"count": 1}, "usage": usage}})
    return made.lines


def _stream() -> list[Any]:
    end = {"type": "result", "stats": {"input_tokens": 9, "cached": 3}}
    return [cli.INIT, cli.ASK, cli.piece("a"), cli.use("c1"), cli.result("c1"), cli.piece("é"), end, cli.INIT, cli.ASK]


def _chat_log() -> list[Any]:
    masked = cli.answered("m2", "", cli.call("c1", {"output": "[masked]"}))
    return [
        cli.HEAD, cli.said("m1"), cli.answered("m2", "", cli.call("c1")), cli.said("m3"), {"$rewindTo": "m3"},
        {"$set": {"messages": [cli.said("s1", "So far."), masked]}}, cli.answered("m4", "é"),
    ]  # fmt: skip


def _chat() -> Any:
    messages = [cli.said("m1"), cli.answered("m2", "é", cli.call("c1"), thoughts=[{}]), cli.said("m3", [{"text": "x"}])]
    return {**cli.HEAD, "messages": messages}


def _body() -> Any:
    contents = [
        gemini.user(gemini.text("é"), {"inlineData": {"mimeType": "image/png", "data": gemini.PNG}}),
        gemini.model(gemini.text("hm", thought=True, thoughtSignature="T"), gemini.asks()),
        gemini.user(gemini.gives({"output": "a"})),
    ]
    return {"systemInstruction": {"parts": [gemini.text("S")]}, "contents": contents}


def _pairs() -> list[Any]:
    one = [gemini.user(gemini.text("go"))]
    two = [*one, gemini.model(gemini.asks()), gemini.user(gemini.gives({"output": "a"}))]
    return [gemini.pair(one, gemini.whole(gemini.asks())), gemini.pair(two, [gemini.whole(gemini.text("b"))])]


def _trajectories() -> list[Any]:
    queries = [swe.HISTORY[:2], swe.elided(upto=4), swe.elided(1, upto=6)]
    steps = [swe.step(n + 1, query=query) for n, query in enumerate(queries)]
    mini = [
        swe.user("fix it"),
        {"role": "assistant", "content": "```\nls\n```"},
        {"role": "user", "content": "<returncode>0</returncode>"},
    ]
    info = {"exit_status": "x", "submission": "", "mini_version": "2"}
    whole = {"trajectory": steps, "history": swe.HISTORY, "info": {"model_stats": {"tokens_sent": 9}}}
    return [whole, {"trajectory": steps}, mini, {"info": info, "messages": mini}]
