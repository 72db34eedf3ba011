"""LibreChat: exported conversations."""
