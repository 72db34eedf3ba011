"""Bytes to values: what every format and every file of ours is read with. No format lives here."""
