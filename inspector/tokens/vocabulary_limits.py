"""How large a vocabulary may be: some times what the largest models have, and what libraries still load in seconds."""

from collections.abc import Collection

HIGHEST_ID = 2**21
"""Ids are below it: libraries make tables as long as the highest id."""
MOST_ADDED = 100_000
"""How many tokens may be looked for before a text is cut into words."""
LONGEST_TOKEN = 2_000
MOST_CHARACTERS = 10_000_000
"""How long all tokens may be together: in the trees of some libraries each character takes 400 bytes."""
MOST_SPLITS = 2_000_000_000
"""How much may be tried to find which tokens are made out of two others: the sum of the squares of their lengths."""


def vocabulary_fault(tokens: Collection[str]) -> str:
    """Why these are too much for a vocabulary, as the end of a sentence about it; "" where they are not."""
    if len(tokens) > HIGHEST_ID:
        return f"it has {len(tokens):,} tokens, expected at most {HIGHEST_ID:,}"
    longest = max(map(len, tokens), default=0)
    if longest > LONGEST_TOKEN:
        return f"it has a token of {longest:,} characters, expected at most {LONGEST_TOKEN:,}"
    together = sum(map(len, tokens))
    if together > MOST_CHARACTERS:
        return f"its tokens have {together:,} characters together, expected at most {MOST_CHARACTERS:,}"
    return ""


def splitting_fault(tokens: Collection[str]) -> str:
    """Why it would take too long to find of which others these tokens are made; "" where it would not."""
    if sum(len(token) ** 2 for token in tokens) > MOST_SPLITS:
        return "its tokens are so long that finding out how they are put together would take minutes"
    return ""


def added_fault(added: Collection[object]) -> str:
    """Why these are too many added tokens; "" where they are not."""
    if len(added) > MOST_ADDED:
        return f"it has {len(added):,} added tokens, expected at most {MOST_ADDED:,}"
    return ""
