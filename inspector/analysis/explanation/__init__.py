"""Explanations: the outcome of an item, and the smallest changes to another."""
