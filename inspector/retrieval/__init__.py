"""Texts to scores: which memories resemble a query, which lorebook entries are spoken of."""
