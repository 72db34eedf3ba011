"""Chorus Engine: characters, database, backups."""
