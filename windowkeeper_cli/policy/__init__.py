"""What policy is in force: bytes and names into settings, with exact error positions; presets.

Importing this imports neither the table of keys nor a validator: the way to the default policy stays short.
"""

from windowkeeper_cli.policy.load import load_policy, pyproject_policy
from windowkeeper_cli.policy.loaded import Loaded, Origin, Strategies, default_policy, policy_id
from windowkeeper_cli.policy.names import built_in, built_in_names, named

__all__ = (
    "Loaded",
    "Origin",
    "Strategies",
    "built_in",
    "built_in_names",
    "default_policy",
    "load_policy",
    "named",
    "policy_id",
    "pyproject_policy",
)
