"""Jan: messages and settings of its threads."""
