"""Chats with Google's Gemini: saved prompts, sessions, activity and the bodies of its API."""
