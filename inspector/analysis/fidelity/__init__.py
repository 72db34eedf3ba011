"""Fidelity: summaries beside their originals."""
