"""Which words make a sentence a standing order? Data, all in lower case, read by `orders`."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PROHIBITIONS = ("do not", "don't", "don\u2019t", "dont", "avoid", "refrain from")
"""At the beginning of a clause these forbid."""
STANDING = ("never", "always", "only")
"""At the beginning of a clause, before a verb, these bind."""
FROM_NOW_ON = (
    "from now on", "from here on", "going forward", "for the rest of this session", "for the rest of the session",
    "under no circumstances", "at no point", "at no time", "at all times", "in no case",
)  # fmt: skip
"""At the beginning or the end of a clause, in an order or beside one, these make it stand."""
MUST = ("must", "must not", "mustn't", "mustn\u2019t")
YOU_MAY = (
    "should never", "should always", "should only", "should not", "shouldn't", "shouldn\u2019t", "may only",
    "may never", "are not allowed to", "are not permitted to", "are only allowed to", "are never to", "are not to",
)  # fmt: skip
"""After `you`, or another name of the model, these bind."""
WANTED = ("want", "need", "would like", "'d like", "\u2019d like", "like", "ask", "asked", "told", "expect", "prefer")
WANTED_TO = ("to never", "to always", "to only", "not to", "never to", "to not", "always to", "only to")
MODEL = (
    "you", "claude", "the agent", "the assistant", "the model", "agents", "codex", "gemini", "copilot", "we", "let's",
    "let\u2019s", "lets",
)  # fmt: skip
"""Names that a person gives to the one who is to obey."""
OPENERS = (
    "most importantly", "above all", "in general", "as a rule", "by the way", "one more thing",
    *sorted(_words("""
        please pls plz also and but so then just ok okay yeah yep yes no nah nope hmm well btw again oh ah
        important note nb remember reminder critical warning rule caution finally however therefore otherwise
        instead additionally moreover lastly plus still really absolutely strictly importantly generally
    """)),
)  # fmt: skip
"""May stand before an order and change nothing."""
IMPERATIVES = _words("""
    use reply respond answer return output print report write edit change modify touch run commit push read
    include call make keep fix look show list create add remove delete import install test speak say send work
    consider trust accept allow execute implement refactor update rely depend propose suggest ask talk generate
    produce load fetch search export apply
""")
"""Before `only`, these make it an order: `reply with only the name`."""
SUBJECTS = _words("""
    i we they it he she this that these those there the a an my our your his her their its someone something
    nobody everything i'm i've we've they're it's he's she's that's there's who which what why how where some
    most many i’m it’s that’s
""")
"""A sentence that begins so tells: what follows it without a new beginning is no order."""
NO_VERBS = _words("""
    a an the this that these those my our your his her its their some any all both each every no not one two
    three in on at to for from with without by of off as into onto over under about after before during until
    since than if when while where whether because once so and or but nor then there here now again too also
    just even still i you he she it we they me him us them who what which why how more less most least few many
    much other another same once twice been had seen got gotten gone done known shown taken made said told found
    felt left lost heard kept saw was were is are am has had did does could would should will can may might must
    came went knew thought good bad true false right wrong fine ran gave wrote built sent began broke brought
    chose drew fell forgot grew held hid met paid spoke stood stuck threw possible available necessary needed
    only always never ever yet very quite rather really idle empty null mind able
""")
"""After `never`, `always` and `only` these are no verb of an order."""
TELLING = _words("""
    know think see understand get need want have feel believe find recall exist matter appear seem happen sound
    mean hear
""")
"""After a phrase these tell what is, and order nothing."""
NO_ORDERS = _words("""
    worry mind remember care like wish hesitate quite really even ever
""")
"""After `do not` these, too, order nothing."""
CONDITIONS = _words("""
    if when whenever because since after before while unless until although though once as
""")
"""A sentence that begins so comes to its order behind a comma or `then`."""
COMPLAINTS = _words("""
    forget fail ignore miss lose break claim assume
""")
"""After `you always` or `you never` these reproach, and order nothing."""
VERB_BEGINNINGS = _words("""
    re pre co un double cherry type auto hard force fast early cross bulk fact
""")
"""A hyphenated word that begins so may be a verb: `re-run`."""
VERBS_IN_S = _words("""
    focus discuss process pass access address express press cross miss guess bypass compress assess bus alias
    bias
""")
VERBS_IN_ED = _words("""
    need feed seed embed proceed exceed succeed shed speed
""")
VERBS_IN_ING = _words("""
    bring ping string ring sing
""")
UNSURE = _words("""
    that which who whom whose why how what because since if when whether where think guess said says say means
    mean seems seem believe assume suppose suspect maybe perhaps probably i'd unless until although though it
    this there he she they something someone somebody these those
""")
"""Before `must`, these make it a guess, a report or a condition."""
