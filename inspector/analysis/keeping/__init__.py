"""Keeping: the ways to keep some items, by one change, by two, by leaving others out, or with a larger model."""
