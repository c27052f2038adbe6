"""When may the garbage collector rest? While a log is read: many containers are made, and no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep the garbage collector off inside: a load makes many containers and no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():
                # Moves what was made to the oldest objects; else all of it is walked as young right here.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
