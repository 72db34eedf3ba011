"""Survival: for a slider or the window, under which of its values each item is in the prompt."""
