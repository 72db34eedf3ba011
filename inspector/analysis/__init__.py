"""Analyses of many assemblies: the changes that would alter a decision, and grids of scenarios."""
