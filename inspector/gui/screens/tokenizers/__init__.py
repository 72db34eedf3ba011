"""Many tokenizers side by side."""
