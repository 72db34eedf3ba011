"""The bar of the context window: its parts in prompt order, in the header of the prompt and, large, for an audience."""
