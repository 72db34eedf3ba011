"""Chatbox: exported data with sessions, their threads and forks."""
