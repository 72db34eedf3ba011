"""Prompt caches of providers: how much of each prompt is read from one, written to it or neither, and what it costs."""
