"""Glaze: backups with characters, chats and memory books."""
