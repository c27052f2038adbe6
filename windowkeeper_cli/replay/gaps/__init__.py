"""Evidence gaps: what left, and was needed afterwards."""
