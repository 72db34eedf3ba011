"""The text of an item."""
