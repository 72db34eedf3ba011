"""What falls out of the prompt, turn by turn."""
