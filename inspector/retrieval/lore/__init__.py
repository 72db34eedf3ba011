"""Lorebooks: the active entries, with the key and message that activated each."""
