"""Baseline and now."""
