"""What is said of a session's windows: each fault once, and `already` where the recorded window had been refused too.

The expected values are made from both windows' naive faults at every call.
"""

from __future__ import annotations

import dataclasses

import pytest

from tests.formats.logs import SHARED, LogFile, call, document, text
from tests.generated import by_seed, loaded
from tests.naive_acceptance import Found, naive_faults
from tests.replay.acceptance.test_against_the_naive import NAMES, parts
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.settings import Settings, SlidingWindow
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.acceptance.providers import sender_of
from windowkeeper_cli.replay.acceptance.windows import Windows, transcript_faults
from windowkeeper_cli.replay.rebuild import Rebuilt
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts

SLIDING = Settings("sliding-window", sliding_window=SlidingWindow(4))
Said = dict[Found, tuple[int, bool]]


def said(transcript: Transcript, counted: Counts, settings: Settings) -> list[Said]:
    """Return by provider each fault with the call that it is told at, and whether the recorded window had one."""
    session, windows = Session(transcript, counted, settings), Windows(transcript, counted, NAMES)
    for one, step in zip(transcript.all_calls(), session.steps(), strict=True):
        windows.look(one, session.fold, changed=any(line.moves for line in step.lines))
    found: list[Said] = []
    for accepted in windows.accepted():
        faults = [reason.fault for reason in accepted.reasons]
        assert len(faults) == len(set(faults))
        assert [reason.call for reason in accepted.reasons] == sorted(reason.call for reason in accepted.reasons)
        assert accepted.ok == all(reason.already for reason in accepted.reasons)
        found.append({(r.fault.rule, r.fault.at, r.fault.id): (r.call, r.already) for r in accepted.reasons})
    return found


def series(transcript: Transcript, counted: Counts, settings: Settings) -> list[list[set[Found]]]:
    """Return by call and provider what is wrong with the window under a policy."""
    session, rebuilt, made = Session(transcript, counted, settings), Rebuilt(), []
    packed = sender_of(transcript).packs
    for step in session.steps():
        for line in step.lines:
            rebuilt.apply(line.as_dict())
        window = parts(transcript, rebuilt, session.fold.held, packed=packed)
        made.append([naive_faults(window, name, packed) for name in NAMES])
    return made


def expected(transcript: Transcript, counted: Counts, settings: Settings) -> list[Said]:
    mine = series(transcript, counted, settings)
    base = series(transcript, counted, Settings("recorded" if transcript.events else "none"))
    wanted: list[Said] = []
    for n in range(len(NAMES)):
        told: Said = {}
        for number, (own, theirs) in enumerate(zip(mine, base, strict=True), 1):
            for fault in own[n]:
                if fault not in told or (told[fault][1] and not theirs[n]):
                    told[fault] = (number, bool(theirs[n]))
        wanted.append(told)
    return wanted


@pytest.mark.parametrize("start", range(500, 560, 20))
def test_drawn_sessions(start: int) -> None:
    for seed in range(start, start + 20):
        case = by_seed(seed)
        assert said(case.transcript, case.counts, SLIDING) == expected(case.transcript, case.counts, SLIDING), seed


@pytest.mark.parametrize(
    "name", ["cc-microcompact-57calls.jsonl", "cc-resume-after-exit-interrupt-38calls.jsonl", "cc-2.0.64-66calls.jsonl"]
)
def test_real_logs(name: str) -> None:
    path = SHARED / "sessions" / "claude-code" / name
    if not path.is_file():
        pytest.skip("the real logs are not here")
    transcript = load(str(path))
    counted = counts(transcript, "estimate")
    for settings in (SLIDING, Settings("recorded")):
        assert said(transcript, counted, settings) == expected(transcript, counted, settings)


def compacted() -> Transcript:
    """A log whose first window chat-completions would refuse, and whose compaction ends that."""
    log = LogFile()
    log.user("Look around.")
    log.reply("m1", call("a"))
    log.user("And be quick.")
    log.result("a", "six lamps")
    log.reply("m2", text("Six lamps."))
    log.user("Well?")
    log.reply("m3", text("Yes."))
    boundary = log.add("system", subtype="compact_boundary", logicalParentUuid=log.last, parent=None,
                       compactMetadata={"trigger": "manual", "preTokens": 900})  # fmt: skip
    log.user("Summary: six lamps.", isCompactSummary=True, isVisibleInTranscriptOnly=True, parent=boundary)
    log.user("Go on.")
    log.reply("m4", text("On it."))
    return log.load()


def test_a_fault_that_outlives_the_recorded_one_becomes_the_policys() -> None:
    transcript = compacted()
    assert [event.kind for event in transcript.events] == ["compaction"]
    counted = counts(transcript, "estimate")
    found = said(transcript, counted, Settings("none"))
    assert found == expected(transcript, counted, Settings("none"))
    chat = found[NAMES.index("openai-chat")]
    # Refused from call 2 on in both; from call 4 on the recorded window holds the summary instead.
    assert set(chat.values()) == {(4, False)}
    recorded = said(transcript, counted, Settings("recorded"))[NAMES.index("openai-chat")]
    assert set(recorded.values()) == {(2, True)}


def test_the_logs_own_provider_is_asked_where_nobody_names_one() -> None:
    transcript = compacted()
    counted = counts(transcript, "estimate")
    assert Windows(transcript, counted).providers == ("anthropic",)
    assert Windows(transcript, counted, ("gemini", "gemini")).providers == ("gemini",)
    drawn = by_seed(1)
    assert Windows(drawn.transcript, drawn.counts).providers == ()
    assert Windows(drawn.transcript, drawn.counts).accepted() == ()


@pytest.mark.parametrize(
    ("model", "provider"),
    [("claude-sonnet-4-5", "anthropic"), ("anthropic/claude-opus-4", "anthropic"), ("gemini-3-pro", "gemini"),
     ("gpt-5", "openai-chat"), ("qwen3-coder", None)],
)  # fmt: skip
def test_a_neutral_format_goes_to_the_provider_of_its_model(model: str, provider: str | None) -> None:
    messages = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]
    transcript = loaded({"format": "windowkeeper/1", "model": model, "messages": messages})
    sender = sender_of(transcript)
    assert sender.provider == provider
    assert transcript_faults(transcript) == (None if provider is None else [])


def test_calls_that_wait_at_the_end_are_refused_where_the_log_is_a_request() -> None:
    """Both APIs want the results of every call in what follows it; only a harness waits before it sends."""
    use = {"type": "tool_use", "id": "x", "name": "n", "input": {}}
    asked = {"id": "x", "type": "function", "function": {"name": "n", "arguments": "{}"}}
    for reply in ({"content": [use]}, {"content": None, "tool_calls": [asked]}):
        body = document({"messages": [{"role": "user", "content": "a"}, {"role": "assistant", **reply}]})
        faults = transcript_faults(body)
        assert faults is not None and [(f.rule, f.at, f.id) for f in faults] == [("call-without-result", 1, "x")]
    two = [asked, {**asked, "id": "y"}]
    half = [{"role": "assistant", "tool_calls": two}, {"role": "tool", "tool_call_id": "x", "content": "r"}]
    faults = transcript_faults(document(half))
    assert faults is not None and [(f.at, f.id) for f in faults] == [(0, "y")]
    log = LogFile()
    log.user("a")
    log.reply("m1", call("x"))
    assert transcript_faults(log.load()) == []


def test_a_format_that_is_not_listed_has_no_provider() -> None:
    assert sender_of(dataclasses.replace(compacted(), format="moon")).provider is None
