"""Logs of named speakers: messengers, channels, and plain text."""
