"""A folder for everything that can be seen or opened in the window."""
