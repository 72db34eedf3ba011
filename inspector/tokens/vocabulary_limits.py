"""Limits on vocabularies: several times the size of the largest models, and still loaded by libraries in seconds."""

from collections.abc import Collection

HIGHEST_ID = 2**21
"""All ids are below it: libraries make tables as long as the highest id."""
MOST_ADDED = 100_000
"""The most tokens looked for before a text is cut into words."""
LONGEST_TOKEN = 2_000
MOST_CHARACTERS = 10_000_000
"""The most characters of all tokens together: in the trees of some libraries each takes 400 bytes."""
MOST_SPLITS = 2_000_000_000
"""The most work to find the tokens made of two others: the sum of the squares of their lengths."""


def vocabulary_fault(tokens: Collection[str]) -> str:
    """Return the reason why a vocabulary is too large, worded to end a sentence about it; "" if it is not."""
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
    """Return the reason why splitting these tokens into others would take too long; "" if it would not."""
    if sum(len(token) ** 2 for token in tokens) > MOST_SPLITS:
        return "its tokens are so long that finding out how they are put together would take minutes"
    return ""


def added_fault(added: Collection[object]) -> str:
    """Return the reason why there are too many added tokens; "" if there are not."""
    if len(added) > MOST_ADDED:
        return f"it has {len(added):,} added tokens, expected at most {MOST_ADDED:,}"
    return ""
