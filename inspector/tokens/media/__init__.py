"""What pictures, documents, sound and film cost in tokens, by family of models."""
