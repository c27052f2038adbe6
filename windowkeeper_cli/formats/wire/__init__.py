"""How does a log of request/response pairs become a transcript? The requests are the true windows."""

from __future__ import annotations
