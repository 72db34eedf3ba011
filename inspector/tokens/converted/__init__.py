"""Tokenizers of folders without a tokenizer.json: their files read and checked here, converted by transformers."""
