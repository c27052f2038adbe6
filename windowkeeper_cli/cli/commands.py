"""Which commands there are: name, module, and the line that help shows."""

from __future__ import annotations

from windowkeeper_cli.model.registry import Registry

ENTRIES = (
    ("explain", "explain", "the window at one call, and every decision in force there"),
    ("trace", "trace", "the life of an item, file or text: is it in the window, when did it leave, what names it"),
    ("refusals", "refusals", "what was asked to leave and refused, by named reason"),
    ("dropped", "dropped", "which tool results left, when, by which rule, and what still names them"),
    ("gaps", "gaps", "what was used after every source of it had left, and what would give it back"),
    ("replay", "replay", "what several policies would have sent, over one session or many: tokens, cache, losses"),
    ("diff", "diff", "two policies on one session or many: keys, figures, where the windows part, which items differ"),
    ("check", "check", "whether invariants hold, providers accept every window and figures keep their bounds: for CI"),
    ("recall", "recall", "the content behind an id, verbatim"),
    ("window", "window", "the window at a call as a request body that a provider accepts"),
    ("convert", "convert", "the transcript in another format"),
    ("sessions", "sessions", "the session logs on disk, newest first"),
    ("info", "info", "what was loaded: format, calls, items, usage, findings"),
    ("archive", "archive", "an archive on disk: verify it, list it, export its contents"),
    ("policy", "policy", "how a window is kept: built-ins, the effective policy, schema, check, a file to begin with"),
    ("rules", "rules", "what a rule, refusal reason, strategy or invariant means"),
    ("man", "man", "a page of the manual, or the JSON Schema of a report"),
)
COMMANDS = Registry("command", "windowkeeper_cli.cli", tuple((name, module) for name, module, _ in ENTRIES))


def summary_of(name: str) -> str:
    """Return the line that help shows for a command."""
    return next(text for entry, _, text in ENTRIES if entry == name)
