"""The table of tool families: names and resources by hand."""

from __future__ import annotations

from typing import Any

import pytest

from windowkeeper_cli.formats import FAMILIES, family, resource_of


@pytest.mark.parametrize(
    ("tool", "args", "kind", "resource"),
    [
        ("Read", {"file_path": "a.py", "offset": 3}, "read", "a.py"),
        ("read_file", {"path": "a.py"}, "read", "a.py"),
        ("mcp__files__read_file", {"path": "a.py"}, "read", "a.py"),
        ("Write", {"content": "x", "file_path": "a.py"}, "write", "a.py"),
        ("MultiEdit", {"file_path": "a.py"}, "edit", "a.py"),
        ("NotebookEdit", {"notebook_path": "a.ipynb"}, "edit", "a.ipynb"),
        ("Bash", {"command": "ls", "description": "d"}, "shell", "ls"),
        ("exec_command", {"cmd": ["git", "log"]}, "shell", "git log"),
        ("Grep", {"pattern": "x", "path": "src"}, "search", "x in src"),
        ("Grep", {"pattern": "x"}, "search", "x"),
        ("Glob", {"pattern": "*.py", "path": "src"}, "find", "*.py in src"),
        ("list_files", {"folder": "src"}, "list", "src"),
        ("WebFetch", {"url": "http://x/", "prompt": "p"}, "fetch", "http://x/"),
        ("WebSearch", {"query": "q"}, "web-search", "q"),
        ("read_log", {"id": 7}, "other", "7"),
        ("TodoWrite", {"todos": []}, "other", None),
        ('Task" >\n<parameter', {}, "other", None),
        ("Read", {"file_path": ""}, "read", None),
        ("Read", ["a.py"], "read", None),
        ("Read", None, "read", None),
    ],
)
def test_family_and_resource(tool: str, args: Any, kind: str, resource: str | None) -> None:
    assert family(tool).name == kind
    assert resource_of(tool, args) == resource


def test_no_tool_is_in_two_families() -> None:
    tools = [tool for one in FAMILIES for tool in one.tools]
    assert len(tools) == len(set(tools)) and all(tool == tool.lower() for tool in tools)


def test_only_writing_whole_resources_says_so() -> None:
    assert [one.name for one in FAMILIES if one.whole] == ["write"]
