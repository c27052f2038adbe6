"""What is on one page besides its markup? Style rules of its own, data for its script, anchors that are taken."""

from __future__ import annotations

from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.html.packing import data_text, front_coded


class Page:
    """Gathers what the blocks of one page need outside themselves, in the order of the blocks."""

    def __init__(self) -> None:
        self.rules: list[str] = []
        self.timelines: list[object] = []
        self.frames: list[object] = []
        self._labels: tuple[str, ...] = ()
        self._at = 0
        self._word = "step"
        self._numbers = 0
        self._anchors: set[str] = set()

    def number(self) -> int:
        """Return a number that no other block of the page has."""
        self._numbers += 1
        return self._numbers

    def step_through(self, labels: tuple[str, ...], at: int, word: str) -> None:
        """Note the steps that timelines and frames share."""
        self._labels, self._at, self._word = labels, at, word

    def anchor(self, name: str) -> str:
        """Return the attribute that makes an element the anchor `name`, nothing where one has it already."""
        if name in self._anchors:
            return ""
        self._anchors.add(name)
        return f" id={name}"

    def rule(self, text: str) -> None:
        """Add a style rule."""
        self.rules.append(text)

    def data(self) -> str:
        """Return what the page's script needs, as JSON."""
        return data_text(
            {
                "at": self._at,
                "word": self._word,
                "labels": front_coded(map(escape, self._labels)),
                "timelines": self.timelines,
                "frames": self.frames,
            }
        )
