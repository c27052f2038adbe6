"""How does zsh ask for completions, and in what form does it want them?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.cli.completion.candidate import Candidate, with_texts

INSTALL = 'windowkeeper --show-completion zsh > "${fpath[1]}/_windowkeeper"'
SCRIPT = """\
#compdef windowkeeper
# Completion of windowkeeper for zsh.
_windowkeeper() {
    local line value
    local -a given lines open values shown
    given=("${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}")
    lines=("${(@f)$(_WINDOWKEEPER_COMPLETE=zsh "${given[@]}" 2>/dev/null)}")
    for line in $lines; do
        value=${line%%$'\\t'*}
        if [[ $value == *= ]]; then
            open+=("$value")
        elif [[ -n $value ]]; then
            values+=("$value")
            shown+=("${line/$'\\t'/  -- }")
        fi
    done
    # A key is followed by its value, with no blank between.
    (( $#open )) && compadd -S '' -a open
    (( $#values )) && compadd -l -d shown -a values
    (( $#open + $#values )) || _files
}
if [[ $funcstack[1] == _windowkeeper ]]; then
    _windowkeeper "$@"
else
    compdef _windowkeeper windowkeeper
fi
"""


def words(given: Sequence[str]) -> list[str]:
    """Return the words as the shell takes them."""
    return list(given)


def reply(candidates: Iterable[Candidate], given: Sequence[str]) -> Iterable[str]:  # noqa: ARG001
    """Yield a line for each candidate: its value, a tab, its text."""
    return with_texts(candidates)
