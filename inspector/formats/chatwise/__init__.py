"""ChatWise: exported chats."""
