"""Relevance: the likeness of texts to a query by their words, surroundings and vectors, in a single sum."""
