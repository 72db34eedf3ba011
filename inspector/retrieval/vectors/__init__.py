"""Vectors of texts: the models that make them, and where they are kept."""
