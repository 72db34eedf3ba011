"""Survival: for a slider or the window, the values with each item in the prompt."""
