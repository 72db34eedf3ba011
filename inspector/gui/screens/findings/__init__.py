"""What a person should know about a prompt."""
