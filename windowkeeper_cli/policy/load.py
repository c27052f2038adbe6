"""What policy do bytes and the words of `--set` make; the way to the defaults imports nothing that reads files."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.policy.loaded import DEFAULT_STRATEGY, Loaded, Strategies, default_policy

TABLE = (b"tool.windowkeeper", b"tool]", b"tool=")
"""How a line begins that may open the table, without blanks, quotes, brackets and a byte order mark."""
_BESIDE = b" \t\r\"'[\xef\xbb\xbf"


def load_policy(
    data: bytes | None,
    name: str,
    *,
    strategies: Strategies,
    overrides: Sequence[str] = (),
    kind: str | None = None,
    figures: Sequence[str] | None = None,
    complete: bool = True,
) -> Loaded:
    """Return the policy in `data`, changed by `overrides` (`KEY=VALUE` each).

    Without `data` it is the defaults of the strategy `name`. `kind` is json, toml or pyproject, by default what the
    ending of `name` says. `figures` are the names that `check` may bound, where they are known. Where it need not be
    `complete`, a key that has no default may be absent. Raises PolicyError with every problem of file and overrides.
    """
    if data is None and not overrides and name == DEFAULT_STRATEGY:
        return default_policy(strategies)
    from windowkeeper_cli.policy.checked import load_document
    from windowkeeper_cli.policy.document import Document, kind_of, read_document

    if data is None:
        document, word = Document(name, {} if name == DEFAULT_STRATEGY else {"strategy": name}, {}), "-p"
    else:
        document, word = read_document(data, name, kind or kind_of(name)), "file"
    return load_document(
        document, strategies=strategies, overrides=overrides, figures=figures, word=word, complete=complete
    )


def pyproject_policy(
    data: bytes,
    name: str,
    *,
    strategies: Strategies,
    overrides: Sequence[str] = (),
    figures: Sequence[str] | None = None,
    complete: bool = True,
) -> Loaded | None:
    """Return the policy in the table `[tool.windowkeeper]` of a pyproject.toml, None where it has none.

    A file without a line that may open the table is not parsed. Raises PolicyError where one with it is damaged.
    """
    if not any(line.translate(None, _BESIDE).startswith(TABLE) for line in data.split(b"\n")):
        return None
    from windowkeeper_cli.policy.checked import load_document
    from windowkeeper_cli.policy.document import read_table

    document = read_table(data, name)
    if document is None:
        return None
    return load_document(document, strategies=strategies, overrides=overrides, figures=figures, complete=complete)
