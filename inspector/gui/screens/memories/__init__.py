"""The memories in their ranking."""
