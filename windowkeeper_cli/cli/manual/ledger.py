"""What does the page windowkeeper-ledger(5) say? The lines of a ledger and their keys, in the order of the file."""

from __future__ import annotations

from windowkeeper_cli.cli.command_help import Entries
from windowkeeper_cli.cli.manual.page import Code, Listed, Page, Ref, Section, See, Text, page
from windowkeeper_cli.model.decision import FORM_AFTER

HEAD: Entries = (
    ("kind", "ledger: the first line."),
    ("schema", "The version of the lines: 1."),
    ("windowkeeper", "The version of the program that wrote them."),
    ("mode", "recorded: what the harness itself did; what-if: what a policy would have done."),
    ("transcript", "The SHA-256 of the bytes of the transcript's first file."),
    ("policy", "The id of the policy, 12 hex digits."),
    ("strategy", "The strategy that kept the window."),
    ("counter", "How tokens are counted."),
)
DECISION: Entries = (
    (
        "kind",
        "decision: the net move of one item in one visit, or one text of windowkeeper's own that entered or left.",
    ),
    ("call", "The call before which it was decided, from 1."),
    ("action", "What happened: see ACTIONS."),
    ("rule", "The policy key, refusal reason or recorded event that is responsible."),
    ("at", "The position of the item in the transcript, from 0."),
    ("slot", "Where an inserted text stands: slot 2i is before item i."),
    ("stands", "What an inserted text is: notice, summary or state."),
    ("item", "The id of the item, or the id by which an inserted text is recalled."),
    ("turn", "The turn of the item, from 0."),
    ("tool", "The tool whose result the item is."),
    ("tokensBefore", "The item's share of the window before the visit."),
    ("tokensAfter", "Its share after the visit."),
    ("text", "The stand-in: a stub, a placeholder, an insertion, or the marker of a truncation."),
    ("cut", "What a truncation took out: block, from and to in code points, or block, from, last block and to."),
    ("detail", "Why, in words."),
    ("holds", "Of over-limit: the tokens that each rule keeps in the window."),
    ("largest", "Of over-limit: the ids of the largest items that stay."),
)
VISIT: Entries = (
    ("kind", "visit: a run of the strategy that engaged; it follows the visit's decisions."),
    ("call", "The call that it stands before, from 1."),
    ("run", "The run of the call: from a person's request to the next."),
    ("iteration", "The place of the call in its run, from 1."),
    ("engaged", "true."),
    ("trigger", "What made it engage, joined with +; waiting: over the limit, held by budget.backoff."),
    ("tokensBefore", "The window with what is in force and what was appended, before this visit decides."),
    ("tokensAfter", "The window that is sent."),
    ("limit", "The limit in force."),
    ("target", "What a re-plan brings the window down to."),
    ("new", "The decision lines of this visit that moved something."),
    ("inForce", "The decisions of earlier visits that are still in force."),
    ("recalled", "The items that came back."),
    ("targetMissed", "What holds a window that ended over its target: tokens by rule."),
    ("brokeAt", "The position before which the previous request's prefix ends, where it broke."),
    ("refusals", "Who was asked to leave and stayed: see REFUSALS."),
)
REFUSAL: Entries = (
    ("reason", "Its name, as in windowkeeper-rules(7)."),
    ("scope", "turn or item."),
    ("turn", "The turn, from 0."),
    ("at", "The position of the item, or of the first item of the turn."),
    ("tokens", "The tokens that it holds in the window."),
    ("turnIndex", "The place of the turn in the window that was visited, where the strategy counts so."),
    ("messageIndex", "The place of its first message there."),
)
EXAMPLE = """\
{"kind":"decision","call":5,"action":"trim","rule":"trim.enabled","at":2,
 "item":"9653549eb562","turn":1,"tokensBefore":11,"tokensAfter":0,
 "detail":"whole turn"}
"""
_TEXTS = (
    "A ledger says what moved in a context window, and what refused to. It is JSON Lines in UTF-8: one compact object "
    "a line, keys in the order below, absent keys left out. The first line names what the ledger speaks of; then come, "
    "visit by visit, the decisions and the visit itself. A visit that did not engage has no line.",
    "The transcript and its ledger together rebuild every window exactly. The same transcript, policy and version give "
    "the same bytes on every machine. windowkeeper explain TRANSCRIPT --all -f jsonl prints it.",
)


def ledger_page(ref: Ref) -> Page:
    """Return the page."""
    return page(
        ref,
        "what moved in a context window, line by line",
        Section("DESCRIPTION", tuple(Text(text) for text in _TEXTS)),
        Section("HEAD", (Listed(HEAD),)),
        Section("DECISIONS", (Listed(DECISION),)),
        Section("ACTIONS", (Text("The form of the item after each action:"), Listed(tuple(map(_action, FORM_AFTER))))),
        Section("VISITS", (Text(_FACTS), Listed(VISIT))),
        Section("REFUSALS", (Listed(REFUSAL),)),
        Section("EXAMPLES", (Text("One line, broken here to fit:"), Code(tuple(EXAMPLE.splitlines())))),
        Section(
            "SEE ALSO",
            (See((Ref("windowkeeper-explain", 1), Ref("windowkeeper-transcript", 5), Ref("windowkeeper-rules", 7))),),
        ),
    )


_FACTS = (
    "The strategies sliding-window, token-budget, summarize-oldest and tiered add keys of their own between brokeAt "
    "and refusals."
)
_SAID = {
    "insert": "A text of windowkeeper's own enters.",
    "retract": "A text of windowkeeper's own leaves.",
    "keep": "As it was: the item is protected.",
    "over-limit": "As it was: the window is still over the limit.",
    "not-smaller": "As it was: a stand-in would be no smaller.",
}
"""The actions that leave no item in another form."""


def _action(action: str) -> tuple[str, str]:
    form = FORM_AFTER[action]
    return action, _SAID[action] if form is None else f"{form.name.capitalize()}."
