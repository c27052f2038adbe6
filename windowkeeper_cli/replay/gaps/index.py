"""What did each call of a transcript use, and which earlier items were sources of that?"""

from __future__ import annotations

from windowkeeper_cli.model.transcript import Transcript


class Index:
    """What gaps are looked for by, whatever the policy: made on first use, once for all policies of a transcript."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
