"""Character.AI, as the extension CAI Tools saves it."""
