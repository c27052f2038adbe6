"""Values that every floor above shares; standard library only."""
