"""Which sentences of a text are standing orders: clause-initial imperatives, by the phrases of `order_phrases`?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps import order_phrases as words
from windowkeeper_cli.replay.gaps.sentences import BLANK, Sentence, sentences

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_I = re.ASCII | re.IGNORECASE


def _any_of(phrases: Iterable[str]) -> str:
    return (
        "(?:"
        + "|".join(
            re.escape(one).replace(r"\ ", "[ \t\r\n]{1,9}") for one in sorted(phrases, key=lambda one: (-len(one), one))
        )
        + ")"
    )


def _named(group: str) -> str:
    return rf"[*_]*(?P<{group}>[A-Za-z][A-Za-z'\u2019-]*)"


_S = "[ \t\r\n]{1,9}"
_ENDS = "(?![0-9A-Za-z_'\u2019-])[*_]*"
_WORD = r"[*_]*([A-Za-z][A-Za-z'\u2019-]*)"
_NEVER = f"{_any_of(words.STANDING)}{_ENDS}{_S}(?:(?:ever|[a-z]{{3,12}}ly){_S})?"
_FIRST = re.compile(_WORD, _I)
_BREAK = re.compile(
    rf"(?P<and>{_S}(?:and|but){_S})|(?P<comma>,{_S}(?:(?:and|but){_S})?)|{_S}then{_S}|[;:]{_S}|{_S}(?P<inside>\()|{_S}[-\u2013\u2014]+{_S}|\u2014",
    _I,
)
_OPENERS = re.compile(rf"(?:[*_\"(]*{_any_of(words.OPENERS)}{_ENDS}[:,!]*[*_]*{_S})*[*_(]*", _I)
_FORBIDS = re.compile(rf"{_any_of(words.PROHIBITIONS)}{_ENDS}{_S}(?:ever{_S})?{_WORD}", _I)
_BINDS = re.compile(_NEVER + _WORD, _I)
_YOU = re.compile(
    rf"{_any_of(words.MODEL)}{_S}[*_]*(?:{_any_of((*words.MUST, *words.YOU_MAY))}{_ENDS}{_S}{_named('may')}"
    rf"|(?:should{_S})?{_NEVER}{_named('binds')})",
    _I,
)
_WANTED = re.compile(rf"(?:i|we)(?:{_S})?{_any_of(words.WANTED)}{_S}you{_S}{_any_of(words.WANTED_TO)}{_ENDS}", _I)
_MUST = re.compile(
    rf"(?P<subject>(?:[^ \t\r\n,;:()]{{1,40}}{_S}){{0,8}}?)[*_]*{_any_of(words.MUST)}{_ENDS}{_S}"
    rf"(?:{_any_of(words.STANDING)}{_ENDS}{_S})?{_named('verb')}",
    _I,
)
_AVOID = re.compile("avoid[ \t]", _I)
_ONLY = re.compile(rf"{_any_of(words.IMPERATIVES)}{_S}(?:[a-z'-]{{1,20}}{_S}){{0,2}}?[*_]*only{_ENDS}", _I)
_STANDS = re.compile(rf"{_any_of(words.FROM_NOW_ON)}{_ENDS}(?:,?{_S}{_WORD})?", _I)
_ANY = re.compile(
    _any_of((*words.PROHIBITIONS, *words.STANDING, *words.MUST, *words.FROM_NOW_ON, *words.YOU_MAY, *words.WANTED_TO)),
    _I,
)


class Order(NamedTuple):
    """A standing order: the sentence, and where in it the order begins."""

    sentence: Sentence
    cue: int


def orders(text: str) -> Iterator[Order]:
    """Yield the standing orders of a message of a person or of the system; a heuristic, linear in the text."""
    for sentence in sentences(text):
        if not sentence.question and _ANY.search(sentence.plain):
            cue = _cue(sentence.plain)
            if cue is not None:
                yield Order(sentence, cue)


def _cue(plain: str) -> int | None:
    """Return where the first clause that orders begins, None where none does."""
    opening = _after_openers(plain, 0)
    found = _FIRST.match(plain, opening)
    first = _low(found[1]) if found else ""
    if _orders(plain, opening) or _must(plain, opening):
        return opening
    for gap in _BREAK.finditer(plain, opening):
        at = _after_openers(plain, gap.end())
        shares = gap["comma"] or gap["and"]
        if gap["and"] and first in words.CONDITIONS:
            continue
        if shares and first in words.SUBJECTS:
            if _you(plain, at):
                return at
        elif gap["inside"]:
            if _orders(plain, at) and not _AVOID.match(plain, at):
                return at
        elif _orders(plain, at) or _must(plain, at):
            return at
    return _made_to_stand(plain, opening, first)


def _after_openers(plain: str, at: int) -> int:
    found = _OPENERS.match(plain, at)
    return found.end() if found else at


def _orders(plain: str, at: int) -> bool:
    """Return whether a clause that begins at `at` is an imperative that binds, or tells the model what it may do."""
    found = _FORBIDS.match(plain, at)
    if found:
        return _low(found[1]) not in words.TELLING | words.NO_ORDERS
    found = _BINDS.match(plain, at)
    if found:
        return _is_verb(_low(found[1]))
    return _ONLY.match(plain, at) is not None or _you(plain, at)


def _you(plain: str, at: int) -> bool:
    found = _YOU.match(plain, at)
    if found is None:
        return _WANTED.match(plain, at) is not None
    if found["binds"]:
        verb = _low(found["binds"])
        return _is_verb(verb) and verb not in words.COMPLAINTS
    return _low(found["may"]) not in words.TELLING


def _must(plain: str, at: int) -> bool:
    """Return whether a clause says of something that it must; a guess, a condition and a code's name say nothing."""
    found = _MUST.match(plain, at)
    if found is None or _low(found["verb"]) in words.TELLING:
        return False
    subject = found["subject"]
    if subject.rstrip(" \t\r\n")[-1:] == BLANK:
        return False
    return not any(_low(word[1]) in words.UNSURE for word in _FIRST.finditer(subject))


def _made_to_stand(plain: str, opening: int, first: str) -> int | None:
    found = _STANDS.search(plain, opening)
    if found is None or first in words.SUBJECTS:
        return None
    tells = found.start() == opening and found[1] is not None and _low(found[1]) in words.SUBJECTS
    return None if tells else found.start()


def _is_verb(word: str) -> bool:
    """Return whether a word behind `never`, `always` or `only` may be a verb in its base form."""
    if word in words.NO_VERBS or word in words.TELLING or "'" in word:
        return False
    first, hyphen, _ = word.partition("-")
    if hyphen and first not in words.VERB_BEGINNINGS:
        return False
    if word.endswith("ed"):
        return word in words.VERBS_IN_ED
    if word.endswith("ing"):
        return word in words.VERBS_IN_ING
    return not word.endswith("s") or word in words.VERBS_IN_S


def _low(word: str) -> str:
    return word.translate(_LOWER)
