"""A text with its tokens: coloured, pointed at, listed."""
