"""Lorebooks: which entries are active, by which key in which message."""
