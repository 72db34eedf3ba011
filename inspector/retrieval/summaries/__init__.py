"""Computed summaries: extractive, or by a server configured by the user."""
