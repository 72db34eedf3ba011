"""Tokenizer comparisons: the same texts under several tokenizers."""
