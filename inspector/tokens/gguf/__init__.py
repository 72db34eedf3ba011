"""Tokenizer, chat template and context length from the header of a GGUF file."""
