"""The reasons why an item is in the prompt or not."""
