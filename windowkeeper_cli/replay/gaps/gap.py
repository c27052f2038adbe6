"""What is an evidence gap: a later use of content whose every source had left the window?"""

from windowkeeper_cli.model.value import NamedTuple


class Gap(NamedTuple):
    """One evidence gap (spec/7): `use` was needed at `call`, and no source of it was in that window in full.

    `used_by` and `source` are positions of items, None where there is none (a constraint or a lost request is
    used by nobody, an unsourced identifier has no source); `source` is the newest one and left at `left_call`
    under `rule`. `distance` is counted in calls from there. `exact` is None where the kind knows no exactness.
    `address` is `recallable`, `mentioned` or `lost`.
    """

    call: int
    kind: str
    use: str
    used_by: int | None
    source: int | None
    left_call: int | None
    rule: str | None
    distance: int | None
    address: str
    exact: bool | None = None
