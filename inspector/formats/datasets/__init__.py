"""Chats that were collected for research."""
