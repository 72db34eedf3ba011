"""Facts in texts, and the share of them kept by a summary."""
