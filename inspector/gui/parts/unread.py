"""What lists show of a conversation that nobody has read yet."""

UNREAD = "…"
"""In place of how much there is."""
