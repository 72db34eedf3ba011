"""Agents with their memory: Letta, brainos."""
