"""Search over everything that is open: one box, and a list of what was found."""
