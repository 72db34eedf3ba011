"""A text as its tokens, for display: the same in the window and on the command line."""
