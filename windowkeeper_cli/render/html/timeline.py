"""How does a timeline look? Layers as steps stacked in a picture, lines across, a strip for each kind of mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.html.packing import packed
from windowkeeper_cli.render.html.page import Page
from windowkeeper_cli.render.html.text import safe
from windowkeeper_cli.report.story import Bound, Layer, Marks, Timeline

COLUMNS = 720
"""Columns of the picture at most; of the steps that share one, that of the highest stack is drawn."""
HEIGHT = 500
WIDTH = 1080
"""The picture's own units: about the dots of a wide page, so that textures keep their shape."""
HUES, TEXTURES = 5, 5
TILES = (
    "",
    '<path d="M-2 2l4-4M0 8l8-8M6 10l4-4"/>',
    '<path d="M2 1v2M6 5v2"/>',
    '<path d="M0 2h8M0 6h8"/>',
    '<path d="M4 0v8"/>',
)
"""What a texture is drawn with on a tile of 8 by 8; the first is plain."""


def timeline(block: Timeline, page: Page) -> Iterator[str]:
    """Yield a timeline as markup."""
    number = page.number()
    page.step_through(block.labels, block.at, block.word)
    page.timelines.append(_data(block))
    top = highest(block)
    picked = columns_of(block)
    last = len(block.labels)
    yield f"<section class=timeline id=timeline-{number}>"
    yield f"<h2>{safe(block.title)}</h2>"
    scale = "".join(f"<span>{value:,}</span>" for value in (top, top // 2, 0))
    width = max(len(picked), 1) * unit_of(picked)
    yield f"<div class=plot><div class=scale aria-hidden=true>{scale}</div>"
    yield f'<svg class=stack viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio=none role=img'
    yield f' aria-label="{safe(_said(block, top))}">'
    yield f"<defs>{''.join(_pattern(layer, number) for layer in block.layers if layer.texture)}</defs>"
    yield "<g class=layers>"
    for layer, path in zip(block.layers, stacked(block.layers, picked, top), strict=True):
        yield f'<path d="{path}" {_fill(layer, number)}><title>{safe(layer.title)}</title></path>'
    yield "</g><g class=bounds>"
    for place, bound in enumerate(block.bounds):
        yield f'<path class=b{place % 3} d="{across(bound, picked, top)}"><title>{safe(bound.title)}</title></path>'
    yield "</g></svg></div>"
    yield from _strips(block.marks, picked, last)
    yield f"<div class=axis aria-hidden=true>{''.join(f'<span>{tick:,}</span>' for tick in ticks(last))}</div>"
    yield from _legend(block, number)
    yield "</section>\n"


def _data(block: Timeline) -> object:
    return {
        "layers": [packed(layer.values) for layer in block.layers],
        "bounds": [packed(-1 if value is None else value for value in bound.values) for bound in block.bounds],
        "marks": [[packed(step for step, _ in one.at), _notes(one)] for one in block.marks],
        "top": highest(block),
    }


def _notes(one: Marks) -> list[str]:
    """Return the notes of marks as they are shown, nothing where none has one."""
    notes = [note for _, note in one.at]
    return [escape(note) for note in notes] if any(notes) else []


def highest(block: Timeline) -> int:
    """Return the top of the scale: the highest stack or line."""
    lines = [value for bound in block.bounds for value in bound.values if value is not None]
    return max((block.top, 1, *stacks_of(block), *lines))


def stacks_of(block: Timeline) -> list[int]:
    """Return the height of each step's stack."""
    if not block.layers:
        return [0] * len(block.labels)
    return [sum(values) for values in zip(*(layer.values for layer in block.layers), strict=True)]


def columns_of(block: Timeline) -> list[int]:
    """Return for each column of the picture the step that is drawn there, from 0."""
    count = len(block.labels)
    width = min(count, COLUMNS)
    stacks = stacks_of(block)
    edges = [column * count // width for column in range(width + 1)] if width else []
    return [max(range(*pair), key=stacks.__getitem__) for pair in pairwise(edges)]


def stacked(layers: Sequence[Layer], picked: Sequence[int], top: int) -> Iterator[str]:
    """Yield the outline of each layer over those below it."""
    below = [0] * len(picked)
    for layer in layers:
        above = [low + layer.values[step] for low, step in zip(below, picked, strict=True)]
        heights = [[_height(value, top) for value in edge] for edge in (below, above)]
        yield _outline(*heights) if below != above else ""
        below = above


def _height(value: int, top: int) -> int:
    return HEIGHT - value * HEIGHT // top


def unit_of(picked: Sequence[int]) -> int:
    """Return how wide a column is in the picture's own units."""
    return max(WIDTH // max(len(picked), 1), 1)


def _outline(low: Sequence[int], high: Sequence[int]) -> str:
    """Return an outline in steps: along the upper edge to the right, back along the lower one."""
    unit = unit_of(low)
    there = "".join(f"V{y}h{run * unit}" for y, run in _runs(high))
    back = "".join(f"V{y}h-{run * unit}" for y, run in _runs(low[::-1]))
    return f"M0 {low[0]}{there}{back}z"


def _runs(values: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = 0
    for place in range(1, len(values) + 1):
        if place == len(values) or values[place] != values[first]:
            yield values[first], place - first
            first = place


def across(bound: Bound, picked: Sequence[int], top: int) -> str:
    """Return the course of a line, broken where it has no value."""
    path: list[str] = []
    x, unit, drawn = 0, unit_of(picked), False
    levels = [-1 if (value := bound.values[step]) is None else _height(value, top) for step in picked]
    for y, run in _runs(levels):
        if y >= 0:
            path.append(f"V{y}h{run * unit}" if drawn else f"M{x * unit} {y}h{run * unit}")
        x, drawn = x + run, y >= 0
    return "".join(path)


def _fill(layer: Layer, number: int) -> str:
    hue = layer.hue % HUES
    texture = layer.texture % TEXTURES
    return f'fill="url(#p{number}-{hue}-{texture})"' if texture else f"class=h{hue}"


def _pattern(layer: Layer, number: int) -> str:
    hue, texture = layer.hue % HUES, layer.texture % TEXTURES
    tile = "width=8 height=8 patternUnits=userSpaceOnUse patternTransform=scale(1,2)"
    return (
        f"<pattern id=p{number}-{hue}-{texture} {tile} class=h{hue}>"
        f"<rect width=8 height=8 fill-opacity=.25 />{TILES[texture]}</pattern>"
    )


def _strips(marks: Sequence[Marks], picked: Sequence[int], last: int) -> Iterator[str]:
    width = max(len(picked), 1)
    for one in marks:
        ticks_at = dict.fromkeys((step - 1) * width // max(last, 1) for step, _ in one.at)
        path = "".join(f"M{tick}.5 0v10" for tick in ticks_at)
        yield f"<div class=strip><span>{safe(one.title)} <b>{len(one.at):,}</b></span>"
        yield f'<svg viewBox="0 0 {width} 10" preserveAspectRatio=none aria-hidden=true><path d="{path}"/></svg></div>'


def ticks(last: int) -> list[int]:
    """Return the steps that are named below the picture, the first and the last one among them."""
    return sorted({1, *(max(last * quarter // 4, 1) for quarter in range(1, 5))}) if last else []


def _legend(block: Timeline, number: int) -> Iterator[str]:
    """Yield what each layer and line is, with its value at the step to look at first."""
    place = block.at - 1
    yield f"<p class=at>at {safe(block.word)} <b class=step>{block.at:,}</b> <span class=label>"
    yield f"{safe(block.labels[place])}</span></p><ul class=legend>"
    for layer in block.layers:
        yield f"<li>{_swatch(f'<rect width=24 height=16 {_fill(layer, number)} />')}"
        yield f"{safe(layer.title)} <b>{layer.values[place]:,}</b>"
    for line, bound in enumerate(block.bounds):
        value = bound.values[place]
        sample = f"<g class=bounds><path class=b{line % 3} d='M0 8h24'/></g>"
        shown = "-" if value is None else f"{value:,}"
        yield f"<li>{_swatch(sample)}{safe(bound.title)} <b>{shown}</b>"
    total = sum(layer.values[place] for layer in block.layers)
    yield f"<li class=total>together <b>{total:,}</b></ul><ul class=notes></ul>"


def _swatch(inside: str) -> str:
    return f'<svg class=swatch viewBox="0 0 24 16" aria-hidden=true>{inside}</svg>'


def _said(block: Timeline, top: int) -> str:
    marks = ", ".join(f"{len(one.at):,} {one.title}" for one in block.marks)
    return f"{block.title}: {len(block.labels):,} steps, highest {top:,}" + (f"; marks: {marks}" if marks else "")
