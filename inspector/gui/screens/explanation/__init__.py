"""Why an item is in the prompt or not."""
