"""What the model still saw, what had left, and which rule took it: the library's face, names resolved on first use."""

from __future__ import annotations

TYPE_CHECKING = False
"""As type checkers know it; importing it would cost every start as much as the rest of this module."""
if TYPE_CHECKING:
    from typing import Any

    from windowkeeper_cli.archive import MemoryArchive as MemoryArchive
    from windowkeeper_cli.archive.file import FileArchive as FileArchive
    from windowkeeper_cli.archive.recalling import handle_recall as handle_recall
    from windowkeeper_cli.archive.sqlite import SqliteArchive as SqliteArchive
    from windowkeeper_cli.formats.adapters import from_anthropic as from_anthropic
    from windowkeeper_cli.formats.adapters import from_openai as from_openai
    from windowkeeper_cli.formats.adapters import is_drop_notice as is_drop_notice
    from windowkeeper_cli.formats.adapters import to_anthropic as to_anthropic
    from windowkeeper_cli.formats.adapters import to_openai as to_openai
    from windowkeeper_cli.formats.loading import load as load
    from windowkeeper_cli.formats.loading import loads as loads
    from windowkeeper_cli.model.errors import WindowkeeperError as WindowkeeperError
    from windowkeeper_cli.model.sent import Window as Window
    from windowkeeper_cli.model.settings import Budget as Budget
    from windowkeeper_cli.model.settings import ClearToolResults as ClearToolResults
    from windowkeeper_cli.model.settings import Expire as Expire
    from windowkeeper_cli.model.settings import Handles as Handles
    from windowkeeper_cli.model.settings import Pins as Pins
    from windowkeeper_cli.model.settings import Policy as Policy
    from windowkeeper_cli.model.settings import Protect as Protect
    from windowkeeper_cli.model.settings import Resurface as Resurface
    from windowkeeper_cli.model.settings import SlidingTokens as SlidingTokens
    from windowkeeper_cli.model.settings import SlidingWindow as SlidingWindow
    from windowkeeper_cli.model.settings import SummarizeOldest as SummarizeOldest
    from windowkeeper_cli.model.settings import Tiered as Tiered
    from windowkeeper_cli.model.settings import TokenBudget as TokenBudget
    from windowkeeper_cli.model.settings import ToolResults as ToolResults
    from windowkeeper_cli.model.settings import Trim as Trim
    from windowkeeper_cli.model.transcript import Transcript as Transcript
    from windowkeeper_cli.replay.keeping import Kept as Kept
    from windowkeeper_cli.replay.keeping import keep as keep

    recall_tool_anthropic: dict[str, Any]
    recall_tool_openai: dict[str, Any]
    recall_tool_openai_responses: dict[str, Any]
    recall_tool_ai_sdk: dict[str, Any]

__version__ = "0.1.0"
_WHERE = {
    "FileArchive": "archive.file",
    "Kept": "replay.keeping",
    "MemoryArchive": "archive",
    "Policy": "model.settings",
    "SqliteArchive": "archive.sqlite",
    "Transcript": "model.transcript",
    "Window": "model.sent",
    "WindowkeeperError": "model.errors",
    "from_anthropic": "formats.adapters",
    "from_openai": "formats.adapters",
    "handle_recall": "archive.recalling",
    "is_drop_notice": "formats.adapters",
    "keep": "replay.keeping",
    "load": "formats.loading",
    "loads": "formats.loading",
    "to_anthropic": "formats.adapters",
    "to_openai": "formats.adapters",
}
_SECTIONS = (
    "Budget",
    "ClearToolResults",
    "Expire",
    "Handles",
    "Pins",
    "Protect",
    "Resurface",
    "SlidingTokens",
    "SlidingWindow",
    "SummarizeOldest",
    "Tiered",
    "TokenBudget",
    "ToolResults",
    "Trim",
)
"""Sections of a policy that is built in code."""
_WHERE |= dict.fromkeys(_SECTIONS, "model.settings")
_TOOL = "recall_tool_"
_TOOLS = ("anthropic", "openai", "openai_responses", "ai_sdk")
"""Schemas of the recall tool; each look at one makes a new dict, so that nobody changes another's."""
__all__ = [  # noqa: PLE0604
    "__version__",
    *_WHERE,
    *(_TOOL + name for name in _TOOLS),
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _WHERE:
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    if name.startswith(_TOOL) and name.removeprefix(_TOOL) in _TOOLS:
        return getattr(import_module(f"{__name__}.archive.recall_tool"), name.removeprefix(_TOOL))()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
