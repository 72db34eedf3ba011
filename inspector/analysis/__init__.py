"""Many assemblies: what would change a decision, and grids of scenarios."""
