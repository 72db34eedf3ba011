"""Counts for models whose vocabulary nobody has: those of o200k times a measured factor for each kind of text."""
