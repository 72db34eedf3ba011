"""Memories of other programs, and as users write them down."""
