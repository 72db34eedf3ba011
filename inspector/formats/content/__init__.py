"""The content of a message in any vendor's layout, read as parts in order, and parts written back."""
