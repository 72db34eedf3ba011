"""Chats found by their shape in JSON and YAML of layouts that no other format knows."""
