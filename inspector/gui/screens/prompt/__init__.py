"""The finished prompt."""
