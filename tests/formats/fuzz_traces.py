"""Small inputs of evaluation logs, traces and managed agents that the fuzzing mutates, archives among them."""

from __future__ import annotations

import json
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED

from tests.formats import test_inspect as inspect
from tests.formats import test_managed_agents as managed
from tests.formats import test_otel as otel


def seeds() -> list[bytes]:
    """Return one input for each shape of each format."""
    documents = [_log(), _trace(), _otlp()]
    archives = [inspect.archive(*_samples(), how=how) for how in (ZIP_STORED, ZIP_DEFLATED)]
    return [
        *(json.dumps(one, indent=indent).encode() for one in documents for indent in (None, 1)),
        *archives,
        _events().encoded(),
        b"\n".join(json.dumps(one).encode() for one in managed.wrapped(_events().lines)),
    ]


def _samples() -> list[Any]:
    content = [{"type": "reasoning", "reasoning": "hm", "signature": "S"}, {"type": "text", "text": "attachment://aa"}]
    talk = [inspect.SYSTEM, inspect.user("é"), inspect.acts(1, content), inspect.sees(1, "one"), inspect.says("done")]
    usage = {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11, "input_tokens_cache_read": 4}
    pooled = [
        inspect.request([], talk[2], input_refs=[[0, 2]], usage=usage),
        inspect.request([], talk[4], input_refs=[[0, 4]]),
    ]
    return [
        inspect.sample(inspect.asked(talk), talk, "a", attachments={"aa": "long"}),
        inspect.sample(pooled, talk, "b", message_pool=talk),
        inspect.sample([], talk, "c", model_usage={"m": usage}),
    ]


def _log() -> Any:
    return inspect.log(*_samples())


def _trace() -> Any:
    flat = {"openinference.span.kind": "LLM", "llm.input_messages.0.message.content": "a"}
    flat |= {"llm.input_messages.0.message.role": "user", "llm.output_messages.0.message.role": "assistant"}
    one = otel.chat("e1", None, 9)
    one["events"] = [{"name": "gen_ai.user.message", "attributes": {"content": "a"}}, {"name": "gen_ai.choice"}]
    return {"trace": {"spans": [*otel.nested(), {**otel.span("f1", at=8), "attributes": flat}, one]}}


def _otlp() -> Any:
    spans = [otel.otlp(one) for one in otel.nested(told=False)]
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}


def _events() -> managed.Events:
    made = managed.session()
    made.add("user.define_outcome", description="d", rubric={"type": "text", "content": "r"})
    made.add("agent.thread_context_compacted")
    made.add("span.outcome_evaluation_end", explanation="e")
    made.add("agent.message", content=managed.said("x"), session_thread_id="t1")
    return made
