"""A whole conversation turn by turn: what its prompts held, what fell, and what a cache of prompts holds."""
