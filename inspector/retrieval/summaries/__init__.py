"""Computed summaries: extractive, or by a server that the person configured."""
