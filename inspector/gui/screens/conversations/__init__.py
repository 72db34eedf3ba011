"""The list of all conversations."""
