"""Bytes to values: the readers behind every format and every file of ours. No format lives here."""
