"""Survival: the values of a slider under which each item is kept."""
