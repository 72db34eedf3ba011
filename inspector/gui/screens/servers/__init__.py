"""Local model servers."""
