"""The conversation from its first to its last message."""
