"""Conversations of LM Studio."""
