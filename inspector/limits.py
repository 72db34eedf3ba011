"""Limits and defaults of numbers which options name before anything that uses them is imported."""

MOST = 2_147_483_647
"""The largest value of a parameter or a window: the limit of arrays of counts, and of sliders."""
DEFAULT_REPLY = 400
"""The tokens that the prompts of a recommendation leave for the reply."""
MOST_PLACES = 200
"""How many places a search lists."""
