"""Character cards."""
