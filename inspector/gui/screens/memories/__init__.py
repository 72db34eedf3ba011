"""Memories in their ranking."""
