"""Chats in OpenAI's layouts, and in similar layouts."""
