"""Backyard AI: characters with their scenarios and chats (`.byaf`)."""
