"""Search over everything that is open: conversations by title; messages, memories and lorebooks by text."""
