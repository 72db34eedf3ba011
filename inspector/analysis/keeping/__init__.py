"""Keeping: the ways to keep some items: a pin, one change, two, others left out, or a model with a larger window."""
