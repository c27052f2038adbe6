"""How does fish ask for completions, and in what form does it want them?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.cli.completion.candidate import Candidate, with_texts

INSTALL = "windowkeeper --show-completion fish > ~/.config/fish/completions/windowkeeper.fish"
SCRIPT = """\
# Completion of windowkeeper for fish, 3.0 or newer.
function __windowkeeper_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    set -lx _WINDOWKEEPER_COMPLETE fish
    set -l found ($program $words "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c windowkeeper -f -a '(__windowkeeper_complete)'
"""


def words(given: Sequence[str]) -> list[str]:
    """Return the words as the shell takes them."""
    return list(given)


def reply(candidates: Iterable[Candidate], given: Sequence[str]) -> Iterable[str]:  # noqa: ARG001
    """Yield a line for each candidate: its value, a tab, its text."""
    return with_texts(candidates)
