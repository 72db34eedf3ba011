"""The comparison of baseline and now."""
