"""A session, call by call: the fold, the ledger, and what is checked and measured on it."""
