"""What is said while something is shown to others: captions, a spotlight, and tours."""
