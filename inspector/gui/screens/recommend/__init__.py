"""The settings with the highest recall of questions."""
