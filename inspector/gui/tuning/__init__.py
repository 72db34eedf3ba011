"""Shared by the pages of the perspective Tune: plots beside their tables, tried settings, and empty pages."""
