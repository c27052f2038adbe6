"""How were the weights of the `estimate` counter found? Fits them again and prints errors and table.

    python -m tests.bench.fit_estimate RANKS SESSIONS [--also FOLDER]

RANKS is o200k_base in tiktoken's format (a line holds base64 and rank), SESSIONS a folder of real logs, FOLDER
plain text files in a folder for each language. Needs tiktoken, numpy and scipy, which the project does not.
"""

from __future__ import annotations

import argparse
import base64
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.bench.real_texts import sessions
from windowkeeper_cli.tokens.byte_classes import class_table
from windowkeeper_cli.tokens.byte_weights import UNIT

FLOOR = 2.5 / UNIT
SHORTEST = 50
STIFFNESS = 0.001
OTHER_LANGUAGES = 0.2
ROUNDS = 25

np: Any = import_module("numpy") if find_spec("numpy") else None


@dataclass(frozen=True)
class Sample:
    """Texts as pair counts (one row each), their true tokens, and which half each belongs to."""

    pairs: Any
    tokens: Any
    half: Any


def encoding(ranks: Path) -> Any:
    """Return o200k_base made from a file of ranks, without a download."""
    split = "|".join(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        )
    )
    table = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, ranks.read_bytes().splitlines())}
    return import_module("tiktoken").Encoding("o200k", pat_str=split, mergeable_ranks=table, special_tokens={})


def sample(groups: list[list[str]], encoder: Any) -> Sample:
    """Return the texts of at least 50 tokens; a group's texts stay in one half."""
    classes = class_table()
    rows, tokens, halves = [], [], []
    for number, group in enumerate(groups):
        for text in group:
            count = len(encoder.encode_ordinary(text))
            if count < SHORTEST:
                continue
            codes = np.frombuffer(text.encode("utf-8", "surrogatepass").translate(classes), np.uint8)
            whole = codes[: len(codes) // 2 * 2].astype(np.int64)
            rows.append(np.bincount(16 * whole[0::2] + whole[1::2], minlength=256))
            tokens.append(count)
            halves.append(number % 2)
    return Sample(np.array(rows, float), np.array(tokens, float), np.array(halves))


def fit(logs: Sample, also: Sample | None, halves: tuple[int, ...]) -> Any:
    """Return 256 weights, none below the floor: least absolute relative error, by reweighted least squares."""
    pairs, tokens, base = chosen(logs, also, halves)
    used = pairs.sum(0) > 0
    pairs = pairs[:, used]
    class_of = np.arange(256)[used] % 16
    above = tokens - pairs.sum(1) * FLOOR
    weight = base / tokens
    for _ in range(ROUNDS):
        found = solve(pairs * weight[:, None], above * weight, class_of)
        error = np.abs(pairs @ found - above) / tokens
        weight = base / tokens / np.sqrt(np.maximum(error, 0.03))
    weights = np.zeros(256)
    weights[used] = found + FLOOR
    return filled(weights, used)


def chosen(logs: Sample, also: Sample | None, halves: tuple[int, ...]) -> tuple[Any, Any, Any]:
    """Return pair counts, tokens and base weights of the texts in `halves`; `also` weighs a fifth of `logs`."""
    mine = np.isin(logs.half, halves)
    pairs, tokens, base = logs.pairs[mine], logs.tokens[mine], np.ones(mine.sum())
    if also is not None:
        theirs = np.isin(also.half, halves)
        share = np.sqrt(OTHER_LANGUAGES * mine.sum() / theirs.sum())
        pairs = np.vstack([pairs, also.pairs[theirs]])
        base = np.concatenate([base, np.full(theirs.sum(), share)])
        tokens = np.concatenate([tokens, also.tokens[theirs]])
    return pairs, tokens, base


def solve(rows: Any, target: Any, class_of: Any) -> Any:
    """Return non-negative weights, each pulled a little to the one weight of its class that fits best."""
    nnls = import_module("scipy.optimize").nnls
    by_class = np.stack([rows[:, class_of == this].sum(1) for this in range(16)], 1)
    plain, _ = nnls(by_class, target, maxiter=50_000)
    pull = np.sqrt(STIFFNESS * (rows**2).sum(0).mean())
    found, _ = nnls(
        np.vstack([rows, np.eye(len(class_of)) * pull]),
        np.concatenate([target, plain[class_of] * pull]),
        maxiter=50_000,
    )
    return found


def filled(weights: Any, used: Any) -> Any:
    """Return the weights with pairs that no text held at the middle weight of the second byte's class."""
    for this in range(1, 16):
        column = weights[this::16]
        seen = used[this::16]
        column[~seen] = np.median(column[seen])
    return weights


def rounded(weights: Any) -> Any:
    """Return the weights as whole numbers, 255 at most; a byte alone (column 0) has the least of its pairs."""
    whole = np.clip(np.rint(weights * UNIT), 0, 255)
    whole[:16] = 0
    for first in range(16, 256, 16):
        whole[first] = whole[first + 1 : first + 16].min()
    return whole


def report(name: str, part: Sample, which: Any, whole: Any) -> None:
    """Print the errors of the whole-number weights on some texts."""
    counted = -(-(part.pairs[which] @ whole) // UNIT)
    true = part.tokens[which]
    error = np.abs(counted - true) / true * 100
    p50, p90, p95 = np.percentile(error, [50, 90, 95])
    total = 100 * (counted.sum() / true.sum() - 1)
    print(f"{name:32} {len(true):6} texts  {p50:5.2f}% {p90:6.1f}% {p95:6.1f}%  total {total:+.2f}%")


def main() -> None:
    """Fit each half, try it on the other, then print the table fitted on both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ranks", type=Path)
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--also", type=Path)
    args = parser.parse_args()
    encoder = encoding(args.ranks)
    logs = sample([texts for _, texts in sessions(args.sessions)], encoder)
    also = None
    if args.also:
        files = sorted(args.also.rglob("*.txt"))
        also = sample([[file.read_text("utf-8")] for file in files], encoder)
    print(f"{'':32} {'':12}  median   90th    95th")
    for half in (0, 1):
        whole = rounded(fit(logs, also, (half,)))
        report(f"half {half}, fitted on it", logs, logs.half == half, whole)
        report(f"half {1 - half}, held out", logs, logs.half != half, whole)
        if also:
            report(f"languages {1 - half}, held out", also, also.half != half, whole)
    whole = rounded(fit(logs, also, (0, 1)))
    report("all", logs, logs.half >= 0, whole)
    if also:
        report("all languages", also, also.half >= 0, whole)
    for before in range(16):
        print("    (" + ", ".join(str(int(w)) for w in whole[16 * before : 16 * before + 16]) + "),")


if __name__ == "__main__":
    main()
