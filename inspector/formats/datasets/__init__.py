"""Chats collected for research."""
