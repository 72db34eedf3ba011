"""Search over everything that is open: conversations by title, messages and memories by text."""
