"""The settings that hold most of the evidence needed by questions."""
