"""The items falling out of the prompt, turn by turn."""
