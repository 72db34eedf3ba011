"""Many policies side by side."""
