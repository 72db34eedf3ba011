"""Lorebooks of all applications."""
