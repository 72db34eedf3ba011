"""Exports of Grok."""
