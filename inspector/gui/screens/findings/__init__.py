"""The findings on a prompt."""
