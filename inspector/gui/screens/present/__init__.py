"""The words of a presentation: captions, a spotlight, and tours."""
