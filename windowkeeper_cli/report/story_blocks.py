"""What did the model see at each call? The blocks of a story: a timeline a policy, the windows, decisions and gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.replay.replay import Replayed
from windowkeeper_cli.report.sheet import Chart, Sheet
from windowkeeper_cli.report.story import Frames, Story, Timeline
from windowkeeper_cli.report.story_layers import layers
from windowkeeper_cli.report.story_tables import tables
from windowkeeper_cli.report.story_track import Track, bounds, labels, marks, track_of
from windowkeeper_cli.report.story_window import frames
from windowkeeper_cli.report.subject import NamedPolicy, Subject

SEEN = "what the model saw at each call, in tokens"


def story_of(sheet: Sheet, subject: Subject, tracks: Sequence[Track], at: int, *, first: int) -> Story:
    """Return a sheet as a story: after its `first` blocks the calls of the tracks, then the rest of the sheet."""
    told = [*sheet.blocks[:first], *stepped(subject, tracks, at), *tables(subject, tracks), *sheet.blocks[first:]]
    return Story(tuple(told), sheet.footer, sheet.next)


def plain_story(sheet: Sheet) -> Story:
    """Return a sheet that has no more to tell."""
    return Story(sheet.blocks, sheet.footer, sheet.next)


def own_story(sheet: Sheet, subject: Subject, at: int) -> Story:
    """Return the sheet of a report on one transcript under one policy as a story; its header comes first."""
    return story_of(sheet, subject, (track_of(subject),), at, first=1)


def stepped(subject: Subject, tracks: Sequence[Track], at: int) -> Iterator[Timeline | Frames]:
    """Yield a timeline for each track, then the frames of all; of two tracks, both timelines have one scale."""
    names = labels(subject.transcript)
    windows = [step.meter.window for track in tracks for step in track.steps]
    top = max(windows, default=1) if len(tracks) == 2 else 1
    for track in tracks:
        title = f"{SEEN}: {track.title}" if len(tracks) > 1 else SEEN
        yield Timeline(
            layers(subject, track.steps),
            tuple(bounds(subject, track)),
            tuple(marks(subject, track)),
            names,
            at,
            title,
            "call",
            top,
        )
    yield frames(subject, tracks, at)


def compared_story(
    sheet: Sheet,
    subject: Subject,
    policies: Sequence[NamedPolicy],
    rows: Sequence[Replayed],
    titles: Sequence[str] = (),
    at: int | None = None,
) -> Story:
    """Return the sheet of a report on several policies as a story: all their calls stand below it.

    The rows kept their steps; a policy that refused has none. The last call is looked at first where none is given.
    """
    named = zip(titles or [policy.name for policy in policies], policies, rows, strict=True)
    tracks = [Track(title, policy, row.steps, row.gaps or (), row.limit) for title, policy, row in named if row.steps]
    told = sheet._replace(blocks=tuple(block for block in sheet.blocks if not isinstance(block, Chart)))
    if not tracks:
        return plain_story(told)
    last = subject.transcript.next_call.number
    return story_of(told, subject, tracks, last if at is None else at, first=len(told.blocks))
