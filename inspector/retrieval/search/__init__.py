"""Search over all open content: conversations by title; messages, memories and lorebooks by text."""
