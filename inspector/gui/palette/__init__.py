"""The command palette: one box over everything that can be done, shown or chosen."""
