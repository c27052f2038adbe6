"""The manual: pages as values, made from the texts of commands, policy keys, rules and formats."""
