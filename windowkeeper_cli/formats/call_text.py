"""What does a tool call hold whose arguments are a text, as OpenAI's formats keep them?"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import orjson

from windowkeeper_cli.formats.content import made_call
from windowkeeper_cli.formats.families import resource_of
from windowkeeper_cli.model.block import ToolCall
from windowkeeper_cli.model.item import CallRef

_PATCH = "*** Begin Patch"
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: ([^\r\n]{1,1000})", re.MULTILINE)


def call_of_text(ident: Any, name: Any, args: Any) -> tuple[ToolCall, CallRef]:
    """Return a tool call and its reference; the argument text says what the call is about, a patch by its files."""
    call, ref = made_call(ident, name, args)
    if not isinstance(args, str):
        return call, ref
    if args.lstrip(" \t\r\n").startswith(_PATCH):
        files = dict.fromkeys(_PATCHED.findall(args))
        return call, ref._replace(resource=" ".join(files) or None)
    with suppress(ValueError):
        ref = ref._replace(resource=resource_of(call.name, orjson.loads(args)))
    return call, ref
