"""A session whose names and texts are long, wide, joined, combined and full of what a terminal would obey."""

from __future__ import annotations

import json
from pathlib import Path

NAMES = (
    f"src/{'very-long-folder-name/' * 6}file_with_a_long_name.test.tsx",
    "文档/设计/非常に長い日本語のファイル名がここにあります.md",
    "emoji/👩\u200d👩\u200d👧\u200d👦/❤\ufe0f❤\ufe0f/🏳\ufe0f\u200d🌈.txt",
    "combining/e\u0301\u0302\u0303a\u0308/한글/\u1112\u1161\u11ab.md",
    "C:\\Users\\名前\\[bold]x[/bold].py",
)
OBEYED = "\x1b[31mred\x1b[0m \u202eleft\u202c [red]x[/red]"
BUDGET = ("--set", "budget.max=6000", "--set", "budget.reserve=0")


def session(folder: Path) -> str:
    """Write the session into a folder and return its path; the name of the file is wide too."""
    messages: list[dict[str, object]] = [{"role": "system", "content": "You fix things. 日本語"}]
    number = 0
    for name in NAMES * 2:
        messages.append(
            {"role": "user", "content": f"Never touch {name}; read it and 直してください ❤\ufe0f {'w' * 90}"}
        )
        for _ in range(2):
            number += 1
            call = {"id": f"c{number}", "name": "read_file", "args": {"path": name}}
            messages += [
                {"role": "assistant", "content": f"I read {name} 👩\u200d💻", "toolCalls": [call]},
                {
                    "role": "tool",
                    "toolCallId": f"c{number}",
                    "toolName": "read_file",
                    "content": f"{name} 行 ❤\ufe0f e\u0301 {OBEYED} id=ORD-{number:05d} " * 20,
                },
            ]
    path = folder / f"{'文' * 20}❤\ufe0f {'long-' * 8}.json"
    path.write_text(json.dumps({"format": "windowkeeper/1", "messages": messages}), "utf-8")
    return str(path)


def reports(session: str, policy: str) -> dict[str, tuple[str, ...]]:
    """Return a command for each report of sheets, on this session, and on it beside another."""
    folder = str(Path(session).parent)
    return {
        "explain": ("explain", session, *BUDGET, "--call", "replan"),
        "explain-all": ("explain", session, *BUDGET, "--all", "--all-rows"),
        "trace": ("trace", session, "file_with_a_long_name.test.tsx", *BUDGET),
        "trace-path": ("trace", session, NAMES[2], *BUDGET),
        "refusals": ("refusals", session, *BUDGET),
        "dropped": ("dropped", session, *BUDGET),
        "gaps": ("gaps", session, *BUDGET),
        "diff": ("diff", session, "-p", "none", "-p", "windowkeeper", *BUDGET),
        "diff-folder": ("diff", folder, "-p", "none", "-p", policy),
        "replay": ("replay", session, "-p", "none", "-p", policy, "-p", "tiered", "--limit", "6k"),
        "replay-folder": ("replay", folder, "-p", policy, "-p", "none", "--limit", "6k"),
        "check": ("check", session, *BUDGET, "--max", "gaps=0", "--max", "itemsLost=0"),
        "sessions": ("sessions", folder),
        "info": ("info", session),
        "policy-list": ("policy", "list"),
        "policy-show": ("policy", "show", "-p", policy),
        "policy-check": ("policy", "check", policy),
        "rules": ("rules",),
        "rules-one": ("rules", "latest-of-tool"),
    }
