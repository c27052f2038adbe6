"""How does one process alone write to an archive? It holds a lock on a file, which ends with the process."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int) -> None:
        """Wait until this process alone holds the open file."""
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def lock(descriptor: int) -> None:
        """Wait until this process alone holds the open file; closing it lets go."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)
