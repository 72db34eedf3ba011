"""Snapshots: scenarios under names."""
