"""What does the page windowkeeper-transcript(5) say? Our own format of a transcript, key by key."""

from __future__ import annotations

from windowkeeper_cli.cli.command_help import Entries
from windowkeeper_cli.cli.manual.page import Code, Listed, Page, Ref, Section, See, Text, page
from windowkeeper_cli.formats.registry import FORMATS

TOP: Entries = (
    ("format", "windowkeeper/1; may be left out."),
    ("messages", "The messages in order. The only key that must be there."),
    ("system", "The system text, before the first message."),
    ("session", "The id of the session."),
    ("agent", "The id of the subagent whose transcript this is."),
    ("model", "The model of every reply that names none itself."),
    ("request", "The current request, where it is not the last message that a person wrote."),
    ("paused", "The tool call that the run waits for: its toolCallId, and checkIn where a person is asked."),
    ("events", "What the harness removed, as windowkeeper convert writes it."),
)
MESSAGE: Entries = (
    ("role", "system, user, assistant or tool. A message must have one."),
    ("content", "A text, or a list of blocks as providers write them; of a tool's message the result."),
    ("toolCalls", "Of an assistant's message: the calls, each with id, name and args (an object, or its text)."),
    ("toolCallId", "Of a tool's message: the call that it answers."),
    ("toolName", "Of a tool's message: the tool; by default that of the call."),
    ("isError", "true: the tool reported an error."),
    ("injected", "true: a user's message that no person wrote."),
    ("authoredBy", "Who wrote it, where the role does not say so: person, harness, model or tool."),
    ("request", "Whether it is a request, where role and injected do not say so."),
    ("pinned", "true: its author wants it to stay."),
    ("task", "true: it says what is to be done."),
    ("tags", "A list of texts that a policy may speak of (protect.tags, expire.tags)."),
    ("ttlTurns", "The age in turns at which it is due to leave."),
    ("effect", "irreversible: what the tool did cannot be done again."),
    ("stage", "The step of the harness that it comes from."),
    ("expands", "The position of the request that this message spells out."),
    ("time", "When it was written, as 2026-11-29T10:00:00Z."),
    ("messageId", "The provider's id of the reply."),
    ("model", "The model that wrote it."),
    ("usage", "The reply's tokens as reported."),
)
USAGE: Entries = (
    ("inputTokens", "Input that no cache held; the prompt is the sum of this and the two below."),
    ("cacheReadTokens", "Input read from the prompt cache."),
    ("cacheWriteTokens", "Input written to the prompt cache."),
    ("outputTokens", "Output."),
    ("reasoningTokens", "The part of the output that was reasoning."),
    ("outputFinal", "false: the log stopped before the reply's last figure."),
)
EXAMPLE = """\
{"format": "windowkeeper/1",
 "system": "You audit deployments.",
 "messages": [
  {"role": "user", "content": "Check d1", "task": true},
  {"role": "assistant", "content": "",
   "toolCalls": [{"id": "c1", "name": "read_log", "args": {"id": "d1"}}],
   "usage": {"inputTokens": 812, "outputTokens": 40}},
  {"role": "tool", "toolCallId": "c1", "content": "d1: 3 errors"}]}
"""
_TEXTS = (
    "windowkeeper reads session logs and request bodies of many harnesses; this is its own format, for those that have "
    "none. It is one JSON document in UTF-8 as below, or JSON Lines with one message a line, then with the keys around "
    "the messages on a first line of their own where there are any.",
    "Whatever is not understood is a finding with its line; windowkeeper info shows them, --strict makes the first one "
    "an error. The content of a message comes out as it went in, code point for code point.",
)


def transcript_page(ref: Ref) -> Page:
    """Return the page."""
    others = tuple((name, f"{FORMATS.module(name).WHAT}.") for name in FORMATS.names if name != "windowkeeper")
    return page(
        ref,
        "windowkeeper's own format of a transcript",
        Section("DESCRIPTION", tuple(Text(text) for text in _TEXTS)),
        Section("KEYS OF THE DOCUMENT", (Listed(TOP),)),
        Section("KEYS OF A MESSAGE", (Listed(MESSAGE),)),
        Section("KEYS OF USAGE", (Listed(USAGE),)),
        Section("OTHER FORMATS", (Text("--from FORMAT takes, besides windowkeeper:"), Listed(others))),
        Section("EXAMPLES", (Code(tuple(EXAMPLE.splitlines())),)),
        Section(
            "SEE ALSO", (See((Ref("windowkeeper", 1), Ref("windowkeeper-info", 1), Ref("windowkeeper-ledger", 5))),)
        ),
    )
