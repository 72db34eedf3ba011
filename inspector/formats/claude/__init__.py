"""Chats of Anthropic's applications: exports of Claude.ai and sessions of Claude Code."""
