"""A text as its tokens, for a person to look at: the same in the window and on the command line."""
