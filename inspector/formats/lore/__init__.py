"""Lorebooks, by whoever wrote them."""
