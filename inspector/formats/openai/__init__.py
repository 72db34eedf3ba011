"""Chats in OpenAI's layouts, and of those who write theirs alike."""
