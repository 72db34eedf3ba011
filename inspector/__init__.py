"""Prompt Inspector: see what context-window policies keep, summarize and drop, and why."""

__version__ = "0.1.0"
