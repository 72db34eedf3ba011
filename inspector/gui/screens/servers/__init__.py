"""The local model servers."""
