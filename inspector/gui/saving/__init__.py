"""Unsaved work: kept as it changes, and listed while no window shows it."""
