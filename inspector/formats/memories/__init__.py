"""Memories of other programs, and as people write them down."""
