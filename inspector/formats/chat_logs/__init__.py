"""Logs of people who speak by name: messengers, channels, and plain text."""
