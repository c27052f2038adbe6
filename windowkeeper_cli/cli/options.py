"""The options that several commands share, each declared once."""

from __future__ import annotations

from typing import Annotated

import typer

from windowkeeper_cli.cli.complete import counters, formats_in, formats_out, policies, policy_keys, transcripts, words
from windowkeeper_cli.cli.surroundings import WHENS

LOADING, FOLDERS, POLICY, SHOWN, OUTPUT = "Loading", "Folders", "Policy", "What is shown", "Output"
CALLS = words("next", "last", "replan")

Transcript = Annotated[
    str,
    typer.Argument(
        metavar="TRANSCRIPT",
        help="A file, - for standard input, latest, latest~2, or the beginning of a session id.",
        show_default=False,
        autocompletion=transcripts,
    ),
]
Also = Annotated[
    list[str] | None,
    typer.Option(
        "--also", metavar="PATH", help="A further file of the same session; repeatable.", rich_help_panel=LOADING
    ),
]
From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="Read it as this format instead of detecting one.",
        rich_help_panel=LOADING,
        autocompletion=formats_in,
    ),
]
Agent = Annotated[
    str | None,
    typer.Option("--agent", metavar="ID", help="A subagent's transcript of the session.", rich_help_panel=LOADING),
]
PartNumber = Annotated[
    int | None,
    typer.Option(
        "--part",
        metavar="N",
        min=1,
        help="The transcript before the N-th /clear in the file (the last by default), or the N-th sample (the first).",
        rich_help_panel=LOADING,
    ),
]
Root = Annotated[
    str | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="Look for session ids and latest below this folder.",
        rich_help_panel=LOADING,
    ),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Make the first thing not understood an error.", rich_help_panel=LOADING),
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="WHEN",
        help="Of a folder, only sessions with a message since then: a date, a time (UTC), or an age as 7d, 12h.",
        rich_help_panel=FOLDERS,
    ),
]
Project = Annotated[
    str | None,
    typer.Option(
        "--project",
        metavar="TEXT",
        help="Of a folder, only sessions started in a working folder whose path holds this text.",
        rich_help_panel=FOLDERS,
    ),
]
MinCalls = Annotated[
    int,
    typer.Option(
        "--min-calls",
        metavar="N",
        min=0,
        help="Of a folder, only sessions of at least N calls.",
        rich_help_panel=FOLDERS,
    ),
]
Processes = Annotated[
    int,
    typer.Option(
        "-j",
        "--jobs",
        metavar="N",
        min=1,
        max=256,
        help="Read a folder's files in N processes.",
        rich_help_panel=FOLDERS,
    ),
]
Subagents = Annotated[
    bool,
    typer.Option(
        "--subagents",
        help="Of a folder, each subagent's transcript too, as a session of its own (SESSION --agent ID).",
        rich_help_panel=FOLDERS,
    ),
]
Counter = Annotated[
    str,
    typer.Option(
        "--counter",
        metavar="NAME",
        help="How tokens are counted: auto, estimate, calibrated, reported, chars:N.",
        rich_help_panel=LOADING,
        autocompletion=counters,
    ),
]
PolicyName = Annotated[
    list[str] | None,
    typer.Option(
        "-p",
        "--policy",
        metavar="POLICY",
        help="A policy file (JSON or TOML, with a / or a .) or a built-in name.",
        rich_help_panel=POLICY,
        autocompletion=policies,
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override one key of the policy, as budget.max=60000; repeatable.",
        autocompletion=policy_keys,
        rich_help_panel=POLICY,
    ),
]
At = Annotated[
    str,
    typer.Option(
        "--call",
        metavar="CALL",
        help="A call number, next, last, @15:29:30, @2026-11-29T15:29, or replan "
        "(the last call that decided something).",
        rich_help_panel=SHOWN,
        autocompletion=CALLS,
    ),
]
UpTo = Annotated[
    str,
    typer.Option(
        "--call",
        metavar="CALL",
        help="Speak of the session up to this call: a number, next, last, a time as @15:29:30, or replan "
        "(the last call that decided something).",
        rich_help_panel=SHOWN,
        autocompletion=CALLS,
    ),
]
AllRows = Annotated[
    bool,
    typer.Option("--all-rows", help="Every row; else many that are alike fold into one.", rich_help_panel=SHOWN),
]
Archive = Annotated[
    str | None,
    typer.Option(
        "--archive",
        metavar="PATH",
        help="Put every item, and what left behind each notice, into the archive at PATH: a folder, or a .sqlite file.",
        rich_help_panel=OUTPUT,
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "-f",
        "--format",
        metavar="FORMAT",
        help="One of",
        rich_help_panel=OUTPUT,
        autocompletion=formats_out,
    ),
]
Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write to FILE, whole or not at all.", rich_help_panel=OUTPUT),
]
Color = Annotated[
    str,
    typer.Option(
        "--color",
        metavar="WHEN",
        help="auto, always or never.",
        rich_help_panel=OUTPUT,
        autocompletion=words(*WHENS),
    ),
]
Width = Annotated[
    int | None,
    typer.Option(
        "--width",
        metavar="N",
        min=20,
        help="Fit tables to N columns; the terminal's by default, none in a pipe.",
        rich_help_panel=OUTPUT,
    ),
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No warnings.", rich_help_panel=OUTPUT)]
Verbose = Annotated[
    bool, typer.Option("-v", "--verbose", help="Every finding as a warning of its own.", rich_help_panel=OUTPUT)
]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="No progress bar.", rich_help_panel=OUTPUT)]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.", rich_help_panel=OUTPUT)]
