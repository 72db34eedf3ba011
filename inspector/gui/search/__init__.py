"""Search over everything open: a box and a list of results."""
