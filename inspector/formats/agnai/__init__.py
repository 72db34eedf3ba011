"""Agnai: memory books, chats and characters."""
