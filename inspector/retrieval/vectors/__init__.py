"""Vectors of texts: the models that make them, and their cache."""
