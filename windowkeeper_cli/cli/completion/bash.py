"""How does bash ask for completions, and in what form does it want them?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.cli.completion.candidate import Candidate

INSTALL = "windowkeeper --show-completion bash > ~/.local/share/bash-completion/completions/windowkeeper"
BREAKS = frozenset("=:")
"""Characters at which bash splits a word that the shell itself takes as one."""
SCRIPT = """\
# Completion of windowkeeper for bash, 3.2 or newer.
_windowkeeper() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(_WINDOWKEEPER_COMPLETE=bash "$1" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # A key is followed by its value, with no blank between.
    if [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *= ]] && type compopt &>/dev/null; then
        compopt -o nospace
    fi
}
complete -o default -F _windowkeeper windowkeeper
"""


def words(given: Sequence[str]) -> list[str]:
    """Return the words as the shell takes them: those that bash split are joined again, without their quotes."""
    joined: list[str] = []
    glued = False
    for word in given:
        breaks = bool(word) and BREAKS.issuperset(word)
        if (breaks or glued) and joined:
            joined[-1] += word
        else:
            joined.append(word)
        glued = breaks
    return [word.replace('"', "").replace("'", "") for word in joined]


def reply(candidates: Iterable[Candidate], given: Sequence[str]) -> Iterable[str]:
    """Yield a line for each candidate: the part of it that stands for the last word that bash gave."""
    whole, last = words(given)[-1], given[-1]
    held = len(whole) - (0 if BREAKS.issuperset(last) else len(last.replace('"', "").replace("'", "")))
    return (candidate.value[held:] for candidate in candidates)
