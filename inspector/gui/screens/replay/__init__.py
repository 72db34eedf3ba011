"""The replay of a conversation, turn by turn: the contents of its prompts, the fallen items, and the cached prefix."""
