"""Snapshots: scenarios with names."""
