"""SillyTavern's chats, groups and personas."""
