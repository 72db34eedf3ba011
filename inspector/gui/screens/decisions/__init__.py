"""The table of all items."""
