"""How well does `calibrated` fit real logs? One line a log, then totals.

    python -m tests.bench.calibration PATH...

`median` and `p90` are the label's errors: the constant is what the first call of a stretch reports. `inside` is the
median error with each stretch's own best constant, jumps cut out: what the ratio alone leaves. `estimate` is the
share by which the plain estimate of the growth inside stretches misses the reported growth.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from windowkeeper_cli.formats import load
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.tokens import counts
from windowkeeper_cli.tokens.families import family_of, main_model
from windowkeeper_cli.tokens.fit import stretches, tokens, without_jumps
from windowkeeper_cli.tokens.scaled import ScaledCounter
from windowkeeper_cli.tokens.sent import Sent, sent_windows
from windowkeeper_cli.tokens.tally import tally_items


@dataclass(frozen=True)
class Row:
    """The figures of one calibrated log; errors are shares."""

    calls: int
    median: float
    p90: float
    inside: float
    estimate: float
    scale: int
    model: str


def row(path: Path) -> Row | str:
    """Print a log's line and return its figures, or why there are none."""
    try:
        transcript = load(str(path))
    except WindowkeeperError as error:
        return str(error)
    found = counts(transcript, "calibrated")
    label = found.counter.label
    if not label.measured or not isinstance(found.counter, ScaledCounter):
        return label.sentence
    parts = stretches(sent_windows(transcript, tally_items(transcript)))
    cut = without_jumps(parts, found.counter.scale)
    model = main_model(transcript) or "?"
    made = Row(
        calls=label.fitted_on,
        median=label.error_median or 0.0,
        p90=label.error_p90 or 0.0,
        inside=median(inside(cut, found.counter.scale)),
        estimate=growth_error(parts, family_of(model).scale),
        scale=found.counter.scale,
        model=model,
    )
    print(
        f"{path.stem[:44]:44} {made.calls:5,} {label.chars_per_token:5.2f} {made.scale:6,} "
        f"{label.unseen_prefix:7,} {made.median:7.1%} {made.p90:7.1%} {made.inside:7.2%} {made.estimate:+8.0%} "
        f"{len(parts):4} {len(cut) - len(parts):4} {found.hidden_thinking:5}  {model[:24]}"
    )
    return made


def inside(parts: list[list[Sent]], scale: int) -> list[float]:
    """Return each call's error against its part's own constant."""
    found: list[float] = []
    for part in parts:
        constant = median(sent.prompt - tokens(sent, scale) for sent in part)
        found += [abs(constant + tokens(sent, scale) - sent.prompt) / sent.prompt for sent in part]
    return found


def growth_error(parts: list[list[Sent]], scale: int) -> float:
    """Return by which share the estimate at `scale` misses the reported growth of all stretches."""
    told = sum(part[-1].prompt - part[0].prompt for part in parts)
    counted = sum(tokens(part[-1], scale) - tokens(part[0], scale) for part in parts)
    return counted / told - 1 if told else 0.0


def totals(rows: list[Row]) -> None:
    """Print the middle log's figures, and the middle scale of each model."""
    print(
        f"\n{len(rows)} logs, {sum(row.calls for row in rows):,} calls; the middle log: "
        f"median error {median(row.median for row in rows):.2%}, "
        f"90th percentile {median(row.p90 for row in rows):.1%}, "
        f"inside a stretch {median(row.inside for row in rows):.2%}; worst median {max(row.median for row in rows):.1%}"
    )
    for model in sorted({row.model for row in rows}):
        scales = [row.scale for row in rows if row.model == model]
        print(f"  {model[:40]:40} {len(scales):3} logs, middle scale {median(scales):8,.0f} per 10,000")


def main() -> None:
    """Read the paths of the command line, folders with all logs below them."""
    paths: list[Path] = []
    for argument in map(Path, sys.argv[1:]):
        paths += sorted(argument.rglob("*.json*")) if argument.is_dir() else [argument]
    print(
        f"{'log':44} {'calls':>5} {'c/tok':>5} {'scale':>6} {'prefix':>7} {'median':>7} {'p90':>7} {'inside':>7} "
        f"{'estimate':>8} {'str.':>4} {'jump':>4} {'hid.':>5}  model"
    )
    rows: list[Row] = []
    for path in paths:
        found = row(path)
        if isinstance(found, Row):
            rows.append(found)
        else:
            print(f"{path.stem[:44]:44} {found}")
    if rows:
        totals(rows)


if __name__ == "__main__":
    main()
