"""What does the page windowkeeper(1) say? The commands, and what holds for all of them."""

from __future__ import annotations

from windowkeeper_cli.cli.commands import ENTRIES
from windowkeeper_cli.cli.completion import SHELLS
from windowkeeper_cli.cli.exit_codes import EXIT_CODES
from windowkeeper_cli.cli.front_page import EXAMPLES, PURPOSE, TRANSCRIPT, USAGE
from windowkeeper_cli.cli.manual.command import PROGRAM, command_ref, sentence
from windowkeeper_cli.cli.manual.page import Code, Listed, Page, Ref, Section, See, Text, Usage, page
from windowkeeper_cli.cli.surroundings import VARIABLES
from windowkeeper_cli.render import ENTRIES as FORMATS

_MODES = (
    "Every report says in its first lines which mode it is in. RECORDED: what the harness itself did, read from the "
    "log. WHAT-IF: what a policy would have done at every call of that session.",
    "The report goes to standard output, everything else to standard error. Nothing is written to a file that was not "
    "named with -o, nothing is fetched, and a transcript's content is never interpreted: control characters are shown "
    "escaped.",
)
_FILES = (
    ("~/.claude/projects", "The session logs of Claude Code."),
    ("~/.codex/sessions", "The session logs of Codex."),
    (
        "pyproject.toml",
        "The nearest one above the working folder; its table [tool.windowkeeper] is the default policy.",
    ),
)


def program_page(pages: tuple[Ref, ...]) -> Page:
    """Return the page; `pages` are all the others."""
    commands = tuple((command_ref(f"windowkeeper {name}"), text) for name, _, text in ENTRIES)
    return page(
        PROGRAM,
        "what an agent's model still saw, and what had left its context window",
        Section("SYNOPSIS", tuple(Usage("windowkeeper", words) for words in USAGE)),
        Section("DESCRIPTION", tuple(Text(text) for text in (PURPOSE, *_MODES, TRANSCRIPT))),
        Section("COMMANDS", (Listed(tuple((str(ref), sentence(text)) for ref, text in commands)),)),
        Section("FORMATS", (Text(_FORMATS), Listed(tuple((name, sentence(text)) for name, _, text in FORMATS)))),
        Section("COMPLETION", (Text(_COMPLETION), Code(tuple(SHELLS.module(name).INSTALL for name in SHELLS.names)))),
        Section("ENVIRONMENT", (Listed(VARIABLES),)),
        Section("FILES", (Listed(_FILES),)),
        Section("EXIT STATUS", (Listed(tuple((str(code), sentence(text)) for code, text in EXIT_CODES)),)),
        Section("EXAMPLES", (Code(EXAMPLES),)),
        Section("SEE ALSO", (See(pages),)),
    )


_COMPLETION = (
    "Commands, options, strategies, presets, policy keys, formats and session ids complete in bash, zsh and fish, once "
    "the script of the shell is where it looks for one:"
)
_FORMATS = "What -f takes; the page of a command says which of them it has."
