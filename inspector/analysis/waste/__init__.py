"""Tokens that an agent sends for nothing, over its whole session: what they are, what they cost, what to do."""
