"""Plots: what every picture with axes is made of, by pyqtgraph, which is imported when a plot is first seen."""
