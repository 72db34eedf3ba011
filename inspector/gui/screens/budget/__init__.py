"""The budget bar."""
