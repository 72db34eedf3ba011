"""The summaries beside their originals."""
