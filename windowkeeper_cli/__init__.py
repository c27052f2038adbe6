"""What the model still saw, what had left, and which rule took it."""

__version__ = "0.1.0"
