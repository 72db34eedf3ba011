"""Replay: every turn of a conversation as the prompt sent at the time."""
