"""LobeChat: exported sessions, topics and backups."""
