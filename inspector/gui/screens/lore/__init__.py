"""Lorebooks and what made entries active."""
