"""Runs commands with an audit hook, and tells what each did outside: a process of its own, for a hook never goes away.

Standard input has a JSON list of commands; standard output gets a JSON list: the exit code of each, and its deeds.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
DEEDS = (
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "os.chown", "os.chflags", "os.link",
    "os.symlink", "os.utime", "os.setxattr", "os.removexattr", "os.mkfifo", "os.mknod", "os.system", "os.exec",
    "os.posix_spawn", "os.spawn", "os.startfile", "os.kill", "os.putenv", "os.unsetenv", "subprocess.Popen",
    "pty.spawn", "ctypes.dlopen", "ctypes.dlsym",
    "tempfile.mkstemp", "tempfile.mkdtemp", "webbrowser.open", "syslog.openlog",
)  # fmt: skip
"""Events that change something outside, or start something; beside those of opening, of sockets and of databases."""


def main() -> None:
    """Run the commands, and write what they did."""
    asked = json.load(sys.stdin)
    told: list[Any] = []
    deeds: list[list[str]] = []
    watching = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if not watching:
            return
        if event == "open":
            path, mode, flags = arguments
            if any(letter in "wax+" for letter in mode or "") or (isinstance(flags, int) and flags & WRITES):
                deeds.append([event, os.fsdecode(path) if isinstance(path, str | bytes) else str(path)])
        elif event in DEEDS or event.partition(".")[0] in ("socket", "urllib", "http", "ftplib", "smtplib", "shutil"):
            deeds.append([event, *map(str, arguments[:2])])
        elif event == "sqlite3.connect":
            deeds.append([event, str(arguments[0])])

    from windowkeeper_cli.cli.process import run

    sys.addaudithook(hook)
    kept = os.dup(1)
    empty = os.open(os.devnull, os.O_WRONLY)
    os.dup2(empty, 1)
    for words in asked:
        deeds = []
        watching = True
        code = run(words)
        watching = False
        told.append([code, deeds])
    sys.stdout.flush()
    os.dup2(kept, 1)
    os.write(1, json.dumps(told).encode())


if __name__ == "__main__":
    main()
