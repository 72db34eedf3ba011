"""Sweeps: a row of figures for each cell of a grid of scenarios."""
