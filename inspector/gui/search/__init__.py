"""The box for everything (Ctrl+K): commands, pages, settings, items and chats by name, and all open texts by words."""
