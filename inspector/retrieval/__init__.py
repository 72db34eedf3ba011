"""Texts to scores: the memories resembling a query, the lorebook entries mentioned in a chat."""
