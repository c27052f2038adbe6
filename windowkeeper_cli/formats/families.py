"""What is a tool call about? One table of tool families: their names, and the arguments that name the resource."""

from __future__ import annotations

from windowkeeper_cli.model.value import NamedTuple


class Family(NamedTuple):
    """Tools that do one kind of thing; `keys` are argument names, the first present one is the resource.

    `within` names a second argument that belongs to it (the folder of a search). `whole` says that a call writes
    its resource whole.
    """

    name: str
    tools: tuple[str, ...]
    keys: tuple[str, ...]
    within: tuple[str, ...] = ()
    whole: bool = False


_PATHS = (
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "absolute_path",
    "target_file",
    "filename",
    "file",
    "uri",
)
_FOLDERS = ("path", "dir_path", "directory", "folder", "cwd", "include", "glob")
FAMILIES: tuple[Family, ...] = (
    Family(
        "read",
        (
            "read",
            "read_file",
            "readfile",
            "file_read",
            "fs_read",
            "view",
            "view_file",
            "open_file",
            "cat",
            "get_file_contents",
            "read_text_file",
            "notebookread",
            "read_many_files",
        ),
        (*_PATHS, "paths"),
    ),
    Family(
        "write",
        ("write", "write_file", "writefile", "create_file", "create", "file_write", "fs_write", "save_file"),
        _PATHS,
        whole=True,
    ),
    Family(
        "edit",
        (
            "edit",
            "multiedit",
            "notebookedit",
            "edit_file",
            "str_replace",
            "str_replace_editor",
            "update_file",
            "str_replace_based_edit_tool",
            "replace",
            "replace_in_file",
            "apply_diff",
            "patch",
            "apply_patch",
        ),
        (*_PATHS, "input", "patch"),
    ),
    Family(
        "shell",
        (
            "bash",
            "shell",
            "shell_command",
            "exec_command",
            "local_shell",
            "execute_command",
            "run_command",
            "run_shell_command",
            "run_terminal_cmd",
            "terminal",
            "exec",
            "run",
            "powershell",
        ),
        ("command", "cmd", "script", "commands"),
    ),
    Family(
        "search",
        ("grep", "search", "rg", "search_files", "grep_search", "search_file_content", "codebase_search", "find"),
        ("pattern", "query", "regex", "search", "q"),
        _FOLDERS,
    ),
    Family("find", ("glob", "find_files", "file_search", "glob_file_search", "fd"), ("pattern", "query"), _FOLDERS),
    Family("list", ("ls", "list_files", "list_dir", "list_directory", "listdir", "tree"), ("path", *_FOLDERS)),
    Family(
        "fetch",
        ("webfetch", "web_fetch", "fetch", "fetch_url", "http_get", "open_url", "browser_navigate", "navigate"),
        ("url", "uri", "href", "prompt"),
    ),
    Family("web-search", ("websearch", "web_search", "google_web_search", "google_search"), ("query", "q")),
)
OTHER = Family("other", (), (*_PATHS, "url", "command", "query", "pattern", "id"))
_BY_TOOL = {tool: family for family in FAMILIES for tool in family.tools}
_SEPARATORS = ("__", ".", "/", ":")
_KNOWN: dict[str, Family] = {}
_KNOWN_LIMIT = 4_096


def family(tool: str) -> Family:
    """Return the family of a tool by its name, its server's prefix and case left aside; `other` where none is known."""
    found = _KNOWN.get(tool)
    if found is None:
        found = _BY_TOOL.get(_bare(tool), OTHER)
        if len(_KNOWN) < _KNOWN_LIMIT:
            _KNOWN[tool] = found
    return found


def resource_of(tool: str, args: object) -> str | None:
    """Return what a call with the parsed arguments `args` is about, or None where the table does not say."""
    kind = family(tool)
    if isinstance(args, str):
        return args if args and kind is not OTHER else None
    if type(args) is not dict:
        return None
    for key in kind.keys:
        if key in args:
            main = _named(args[key])
            if main is not None:
                return f"{main}{_within(kind, key, args)}" if kind.within else main
    return None


def _within(kind: Family, key: str, args: dict[str, object]) -> str:
    """Return where a search looked, as the end of its resource."""
    for place in kind.within:
        if place != key and place in args:
            inside = _named(args[place])
            if inside is not None:
                return f" in {inside}"
    return ""


def _bare(tool: str) -> str:
    name = tool if len(tool) < 200 else ""
    for mark in _SEPARATORS:
        name = name.rpartition(mark)[2]
    return name.lower() if name.isascii() else ""


def _named(value: object) -> str | None:
    if type(value) is str:
        return value or None
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return " ".join(value)
    return None
