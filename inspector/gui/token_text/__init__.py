"""A text with its tokens: coloured, listed, and selectable."""
