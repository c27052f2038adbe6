"""What does the process's exit code say: one row a code, that help and manual are made from."""

from __future__ import annotations

OK, FAILED, WRONG, FAULT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141
EXIT_CODES = (
    (OK, "done"),
    (FAILED, "what was checked does not hold"),
    (WRONG, "input, policy or arguments are wrong"),
    (FAULT, "a fault of windowkeeper"),
    (INTERRUPTED, "interrupted"),
    (PIPE_CLOSED, "the reader of a pipe went away"),
)


def exit_codes(fails: str) -> tuple[tuple[str, str], ...]:
    """Return the codes that a command ends with; `fails` says what its code 1 means, empty where it has none."""
    said = ((code, fails if code == FAILED else text) for code, text in EXIT_CODES)
    return tuple((str(code), text) for code, text in said if text)
