"""Summaries beside their originals."""
