"""Relevance: how like a query texts are by their words, by what surrounds them, and by their vectors, in one sum."""
