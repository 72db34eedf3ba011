"""Exports of chatgpt.com."""
