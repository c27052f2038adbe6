"""What does a TOML text hold, and on which line does each key stand."""

from __future__ import annotations

import re
import tomllib

from windowkeeper_cli.policy.text_place import DamagedTextError, Lines, Place, Tree
from windowkeeper_cli.policy.toml_lines import places_of

_AT = re.compile(r" \(at (?:line (?P<line>[0-9]+), column (?P<column>[0-9]+)|end of document)\)$")
_LONG_NUMBER = re.compile(r"[0-9_]{400}")


def read_toml(text: str) -> Tree:
    """Return the tree of `text`; raise DamagedTextError where it is no TOML."""
    places = places_of(text)
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _damaged(text, str(error)) from None
    except ValueError:
        long = _LONG_NUMBER.search(text)
        place = Lines(text).place(long.start() if long else 0)
        raise DamagedTextError(place, "a number has too many digits", "write it shorter") from None
    except RecursionError:
        raise DamagedTextError(Place(1, 1), "is nested too deep", "a policy has three levels") from None
    return Tree(value, places, ())


def _damaged(text: str, message: str) -> DamagedTextError:
    match = _AT.search(message)
    what = message[: match.start()] if match else message
    place = Lines(text).place(len(text))
    if match and match["line"]:
        place = Place(int(match["line"]), int(match["column"]))
    return DamagedTextError(place, f"is no TOML: {what[:1].lower()}{what[1:]}", "mend it")
